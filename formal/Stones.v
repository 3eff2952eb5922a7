(* The game stone by stone ("a move ends with the stone that completes a line") :
   what [win] calls a win is one there, too. Both sides complete lines of [asegs] only (exact rule). *)
Require Import List Bool Arith Lia.
Require Import Zones.
Import ListNotations.

Section Stones.
Variable sq : Type.
Variable dec : forall x y : sq, {x = y} + {x <> y}.
Variable bd : list sq.
Hypothesis bd_nd : NoDup bd.
Variable segs : list (list sq).
Variable asegs : list (list sq * list sq).
Hypothesis asegs_segs : forall H B, In (H, B) asegs -> In H segs.
Variable p : nat.
Notation empt := (empt dec bd). Notation card := (card bd). Notation done := (done segs). Notation line := (doneA asegs).
Notation win := (win dec bd segs asegs p). Notation legal := (legal dec bd).
Definition add (X : set sq) x := cup X (mem dec [x]).
Definition full X Y := forall x, empt X Y x = false.

(* [swin s r X Y]: r stones of the running move of s are still to be placed *)
Inductive swin : side -> nat -> set sq -> set sq -> Prop :=
| s_over s r X Y : line X -> ~ line Y -> swin s r X Y
| s_stone_a r X Y x : ~ line X -> ~ line Y -> empt X Y x = true -> swin Att r (add X x) Y -> swin Att (S r) X Y
| s_turn_a r X Y : ~ line X -> ~ line Y -> r = 0 \/ full X Y -> swin Def p X Y -> swin Att r X Y
| s_stone_d r X Y : ~ line X -> ~ line Y -> ~ full X Y ->
    (forall x, empt X Y x = true -> swin Def r X (add Y x)) -> swin Def (S r) X Y
| s_turn_d r X Y : ~ line X -> ~ line Y -> r = 0 \/ full X Y -> swin Att p X Y -> swin Def r X Y.

Definition eqs (a b : set sq) := forall x, a x = b x.
Lemma done_ext X X' : eqs X X' -> done X -> done X'.
Proof. intros e (G & h & k). exists G; split; auto. intros; rewrite <- e; auto. Qed.
Lemma line_ext X X' : eqs X X' -> line X -> line X'.
Proof. apply doneA_ext. Qed.
Lemma line_done Y : line Y -> done Y.
Proof. intros (H & B & h & k & _). exists H. split; eauto. Qed.
Lemma nline Y : ~ done Y -> ~ line Y.
Proof. intros h k. apply h, line_done, k. Qed.
Hint Resolve nline : core.
Lemma empt_ext X X' Y Y' : eqs X X' -> eqs Y Y' -> eqs (empt X Y) (empt X' Y').
Proof. intros e e' x. unfold Zones.empt. now rewrite e, e'. Qed.
Lemma eqs_sym a b : eqs a b -> eqs b a. Proof. intros h x; auto. Qed.
Lemma add_ext X X' x : eqs X X' -> eqs (add X x) (add X' x).
Proof. intros e y. unfold add, cup. now rewrite e. Qed.
Lemma full_ext X X' Y Y' : eqs X X' -> eqs Y Y' -> full X Y -> full X' Y'.
Proof. intros e e' h x. rewrite <- (empt_ext X X' Y Y' e e' x). auto. Qed.

Lemma swin_ext s r X Y : swin s r X Y -> forall X' Y', eqs X X' -> eqs Y Y' -> swin s r X' Y'.
Proof.
  induction 1; intros X' Y' e e'; pose proof (eqs_sym _ _ e); pose proof (eqs_sym _ _ e').
  - apply s_over; eauto using line_ext.
  - apply s_stone_a with x; eauto using line_ext, add_ext.
    now rewrite <- (empt_ext X X' Y Y' e e' x).
  - apply s_turn_a; eauto using line_ext. destruct H1; eauto using full_ext.
  - apply s_stone_d; eauto using line_ext, full_ext. intros x h. apply (H3 x); auto using add_ext.
    now rewrite (empt_ext X X' Y Y' e e' x).
  - apply s_turn_d; eauto using line_ext. destruct H1; eauto using full_ext.
Qed.

Lemma line_dec X : line X \/ ~ line X.
Proof.
  set (f := fun HB : list sq * list sq => forallb X (fst HB) && forallb (fun x => negb (X x)) (snd HB)).
  assert (fE : forall H B, f (H, B) = true <-> (forall x, In x H -> X x = true) /\ (forall x, In x B -> X x = false)).
  { intros H B. unfold f. simpl. rewrite andb_true_iff, !forallb_forall.
    split; intros [h k]; split; auto; intros x hx; specialize (k x hx); now apply negb_true_iff. }
  destruct (existsb f asegs) eqn:e.
  - left. apply existsb_exists in e as ((H, B) & h & k). exists H, B. split; auto. now apply fE.
  - right. intros (H & B & h & k). enough (existsb f asegs = true) by congruence.
    apply existsb_exists. exists (H, B). split; auto. now apply fE.
Qed.

Lemma card0 (M : set sq) : sub M (mem dec bd) -> card M = 0 -> eqs M (@none sq).
Proof.
  intros S c x. destruct (M x) eqn:e; auto. exfalso. unfold Zones.card, cnt in c.
  assert (In x (filter M bd)). { rewrite filter_In. split; auto. apply S in e. now apply memE in e. }
  destruct (filter M bd); [easy|discriminate].
Qed.
Lemma card_pos (M : set sq) n : card M = S n -> exists x, In x bd /\ M x = true.
Proof.
  unfold Zones.card, cnt. destruct (filter M bd) as [|x l] eqn:e; [discriminate|]. intros _.
  exists x. rewrite <- filter_In, e. simpl; auto.
Qed.
Lemma card_split (M : set sq) x : In x bd -> M x = true -> card M = S (card (diff M (mem dec [x]))).
Proof.
  intros h k. unfold Zones.card at 2, cnt.
  change (S (length (filter (diff M (mem dec [x])) bd))) with (length (x :: filter (diff M (mem dec [x])) bd)).
  apply cnt_list; auto.
  - constructor; [|now apply NoDup_filter]. rewrite filter_In, diffE, memF. simpl; tauto.
  - intro y. simpl. rewrite filter_In, diffE, memF. simpl. destruct (dec x y) as [->|n]; [tauto|].
    intuition congruence.
Qed.
Lemma card_eqs a b : eqs a b -> card a = card b.
Proof. intro e. unfold Zones.card, cnt. f_equal. now apply filter_ext. Qed.
Lemma empt_bd X Y : sub (empt X Y) (mem dec bd).
Proof. intros x h. rewrite emptE in h. rewrite memE. tauto. Qed.
Lemma addE X x y : add X x y = true <-> X y = true \/ x = y.
Proof. unfold add. rewrite cupE, memE. simpl. tauto. Qed.
Lemma empt_add_l X Y x : eqs (empt (add X x) Y) (diff (empt X Y) (mem dec [x])).
Proof. intro y. unfold add, Zones.empt, cup, diff. destruct (mem dec bd y), (X y), (Y y), (mem dec [x] y); auto. Qed.
Lemma empt_add_r X Y x : eqs (empt X (add Y x)) (diff (empt X Y) (mem dec [x])).
Proof. intro y. unfold add, Zones.empt, cup, diff. destruct (mem dec bd y), (X y), (Y y), (mem dec [x] y); auto. Qed.
Lemma none_cup (X M : set sq) : eqs M (@none sq) -> eqs (cup X M) X.
Proof. intros e x. unfold cup. rewrite e. apply orb_false_r. Qed.
Lemma full_or X Y : card (empt X Y) = 0 -> full X Y.
Proof. intros h x. apply (card0 _ (empt_bd X Y) h). Qed.

Lemma a_move t : forall X Y M, ~ done Y -> legal t X Y M -> swin Def p (cup X M) Y -> swin Att t X Y.
Proof.
  induction t as [|t IH]; intros X Y M nY [S C] w; (destruct (line_dec X) as [d|nX]; [now apply s_over; auto|]).
  - assert (eqs M (@none sq)) by (apply card0; auto; intros x h; eapply empt_bd, S; eauto).
    apply s_turn_a; auto. eapply swin_ext; eauto; [now apply none_cup|now intro].
  - destruct (card M) as [|c] eqn:e.
    + assert (eqs M (@none sq)) by (apply card0; auto; intros x h; eapply empt_bd, S; eauto).
      apply s_turn_a; auto; [right; apply full_or; lia|].
      eapply swin_ext; eauto; [now apply none_cup|now intro].
    + destruct (card_pos _ _ e) as (x & hb & hx). pose proof (S x hx) as ex.
      apply s_stone_a with x; auto. apply IH with (diff M (mem dec [x])); auto.
      * split.
        -- intros y. rewrite empt_add_l, !diffE. intros [h k]. auto.
        -- rewrite (card_eqs _ _ (empt_add_l X Y x)). pose proof (card_split M x hb hx).
           pose proof (card_split _ x hb ex). lia.
      * eapply swin_ext; eauto; [|now intro]. intro y. apply eq_true_iff_eq.
        rewrite !cupE, addE, diffE, memF. simpl. destruct (dec x y) as [->|n]; [tauto|]. intuition congruence.
Qed.

Lemma d_move t : forall X Y, ~ done Y -> (forall M, legal t X Y M -> swin Att p X (cup Y M)) ->
  (forall M, legal t X Y M -> ~ done (cup Y M)) -> swin Def t X Y.
Proof.
  assert (N : forall t' X Y, t' = 0 \/ card (empt X Y) = 0 -> legal t' X Y (@none sq)).
  { intros t' X Y h. split; [intros x k; discriminate k|]. rewrite card_none. lia. }
  induction t as [|t IH]; intros X Y nY H HD; (destruct (line_dec X) as [d|nX]; [now apply s_over; auto|]).
  - apply s_turn_d; auto. eapply swin_ext; [apply (H (@none sq)); auto|now intro|now apply none_cup].
  - destruct (card (empt X Y)) as [|c] eqn:e.
    + apply s_turn_d; auto; [right; now apply full_or|].
      eapply swin_ext; [apply (H (@none sq)); auto|now intro|now apply none_cup].
    + assert (L : forall x M, empt X Y x = true -> legal t X (add Y x) M -> legal (S t) X Y (add M x)).
      { intros x M ex [S C]. split.
        - intros y. rewrite addE. intros [h| <-]; auto. apply S in h. rewrite empt_add_r, diffE in h. tauto.
        - assert (In x bd) as hb by (apply emptE in ex; tauto).
          rewrite (card_eqs _ _ (empt_add_r X Y x)) in C. pose proof (card_split _ x hb ex).
          assert (card (add M x) = Datatypes.S (card M)).
          { rewrite (card_split (add M x) x hb) by (apply addE; auto). f_equal. apply card_eqs.
            intro y. apply eq_true_iff_eq. rewrite diffE, addE, memF. simpl.
            destruct (dec x y) as [->|n]; [|intuition congruence].
            split; [tauto|]. intro h. apply S in h. rewrite empt_add_r, diffE, memF in h. simpl in h. tauto. }
          lia. }
      assert (Q : forall x M, eqs (cup Y (add M x)) (cup (add Y x) M)).
      { intros x M y. unfold add, cup. destruct (Y y), (M y), (mem dec [x] y); auto. }
      apply s_stone_d; auto.
      * intro f. destruct (card_pos _ _ e) as (x & _ & hx). rewrite f in hx. discriminate.
      * intros x ex. apply IH.
        -- intro d. destruct (@some_move _ dec bd bd_nd t X (add Y x)) as (M & hM).
           apply (HD (add M x)); auto. eapply done_mono; [|exact d]. intros y h. rewrite Q, cupE. auto.
        -- intros M hM. eapply swin_ext; [apply (H (add M x)); auto|now intro|apply Q].
        -- intros M hM d. apply (HD (add M x)); auto. eapply done_ext; [apply eqs_sym, Q|exact d].
Qed.

Lemma a_now t : forall X Y M, ~ done Y -> sub M (empt X Y) -> card M <= t -> line (cup X M) -> swin Att t X Y.
Proof.
  induction t as [|t IH]; intros X Y M nY S C l; (destruct (line_dec X) as [d|nX]; [now apply s_over; auto|]).
  - exfalso. apply nX. eapply line_ext; [|exact l]. apply none_cup, card0; [|lia].
    intros x h; eapply empt_bd, S; eauto.
  - destruct (card M) as [|c] eqn:e.
    + exfalso. apply nX. eapply line_ext; [|exact l]. apply none_cup, card0; [|lia].
      intros x h; eapply empt_bd, S; eauto.
    + destruct (card_pos _ _ e) as (x & hb & hx). pose proof (S x hx) as ex.
      apply s_stone_a with x; auto. apply IH with (diff M (mem dec [x])); auto.
      * intros y. rewrite empt_add_l, !diffE. intros [h k]. auto.
      * pose proof (card_split M x hb hx). lia.
      * eapply line_ext; [|exact l]. intro y. apply eq_true_iff_eq.
        rewrite !cupE, addE, diffE, memF. simpl. destruct (dec x y) as [->|n]; [tauto|]. intuition congruence.
Qed.

Theorem win_swin s t X Y : win s t X Y -> swin s t X Y.
Proof.
  induction 1.
  - apply s_over; auto.
  - eapply a_now; eauto.
  - eapply a_move; eauto.
  - apply d_move; auto. intros M h. eapply win_ndone; eauto.
Qed.
End Stones.
Print Assumptions win_swin.
