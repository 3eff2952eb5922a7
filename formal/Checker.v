(* An executable checker for certificates, proved against Zones.valid (both rules). *)
Require Import List Bool Arith Lia PArith Permutation MSetPositive FMapPositive FMapFacts.
Require Import Zones Stones.
Import ListNotations.
Module PS := PositiveSet.
Module PM := PositiveMap.
Module PF := FMapFacts.WFacts_fun(PositiveMap.E)(PositiveMap).

Definition dec := Pos.eq_dec.
Notation seg := (list positive).
Definition ps (s : PS.t) : set positive := fun x => PS.mem x s.
Fixpoint inb (x : positive) (l : list positive) :=
  match l with [] => false | y :: l => Pos.eqb x y || inb x l end.
Fixpoint adds (l : list positive) (s : PS.t) := match l with [] => s | x :: l => PS.add x (adds l s) end.
Fixpoint nodupb (l : list positive) := match l with [] => true | x :: l => negb (inb x l) && nodupb l end.
Fixpoint number (n : positive) (l : list seg) : list (positive * seg) :=
  match l with [] => [] | G :: l => (n, G) :: number (Pos.succ n) l end.

Lemma inbE x l : inb x l = true <-> In x l.
Proof. induction l as [|y l IH]; simpl; [easy|]. rewrite orb_true_iff, Pos.eqb_eq, IH. intuition. Qed.
Lemma inb_mem l : forall x, inb x l = mem dec l x.
Proof. intro x. apply eq_true_iff_eq. rewrite inbE, memE. tauto. Qed.
Lemma nodupbE l : nodupb l = true -> NoDup l.
Proof.
  induction l as [|x l IH]; simpl; [constructor|]. rewrite andb_true_iff, negb_true_iff.
  intros [h k]. constructor; auto. rewrite <- inbE. congruence.
Qed.
Lemma addsE l s x : PS.mem x (adds l s) = true <-> In x l \/ PS.mem x s = true.
Proof.
  induction l as [|y l IH]; simpl; [tauto|].
  change (PS.mem x (PS.add y (adds l s)) = true) with (PS.In x (PS.add y (adds l s))).
  rewrite PS.add_spec. unfold PS.In. rewrite IH. intuition.
Qed.
Lemma number_lt n l g G : In (g, G) (number n l) -> (n <= g)%positive.
Proof. revert n; induction l; simpl; intros n; [tauto|]. intros [e|h]; [injection e; lia|]. apply IHl in h; lia. Qed.
Lemma number_inj n l g G G' : In (g, G) (number n l) -> In (g, G') (number n l) -> G = G'.
Proof.
  revert n; induction l; simpl; intros n; [tauto|].
  intros [e|h] [e'|h']; try congruence; eauto;
  repeat match goal with H : (_, _) = (_, _) |- _ => injection H as; subst end;
  match goal with H : In _ _ |- _ => apply number_lt in H; lia end.
Qed.
Lemma number_in n l g G : In (g, G) (number n l) -> In G l.
Proof. revert n; induction l; simpl; intros n; [tauto|]. intros [e|h]; [injection e; auto|eauto]. Qed.
Lemma in_number n l G : In G l -> exists g, In (g, G) (number n l).
Proof.
  revert n; induction l; simpl; intros n; [tauto|]. intros [->|h]; [eauto|].
  destruct (IHl (Pos.succ n) h); eauto.
Qed.

Section Check.
Variable bd : list positive.
Variable segs : list seg.
Variable asegs : list (seg * seg).
Variable p : nat.
Variable tab : list (positive * seg).                         (* numbered segments *)
Variable inc : PM.t (list (positive * seg)).                  (* the segments through a square *)
Hypothesis tab_eq : tab = number 1 segs.
Hypothesis inc_eq : forall x, In x bd -> PM.find x inc = Some (filter (fun gG => inb x (snd gG)) tab).
Hypothesis bd_nd : NoDup bd.
Hypothesis segs_nd : forall G, In G segs -> NoDup G.
Hypothesis segs_bd : forall G, In G segs -> incl G bd.
Hypothesis asegs_ok : forall H B, In (H, B) asegs -> NoDup H /\ incl H bd /\ forall x, In x B -> ~ In x H.

(* ---------- zones ---------- *)
Record cz := CZ { cA : PS.t; cL : PM.t nat }.
Definition omin (a b : option nat) :=
  match a, b with Some i, Some j => Some (Nat.min i j) | Some i, None => Some i | None, o => o end.
Definition cunion z1 z2 := CZ (PS.union (cA z1) (cA z2)) (PM.map2 omin (cL z1) (cL z2)).
Definition cshift u z := match u with 0 => z | _ => CZ (cA z) (PM.map (fun i => Nat.max 1 (i - u)) (cL z)) end.

Definition den (z : cz) : zone positive :=
  Zone (filter (fun x => PS.mem x (cA z)) bd)
       (flat_map (fun gG => match PM.find (fst gG) (cL z) with Some i => [(snd gG, i)] | None => [] end) tab).
Definition wfc z := forall g i, PM.find g (cL z) = Some i -> 1 <= i.
Definition clr z (E : set positive) :=
  (forall x, In x bd -> PS.mem x (cA z) = true -> E x = false) /\
  (forall g G i, In (g, G) tab -> PM.find g (cL z) = Some i -> cnt E G < i).

Lemma denE z E : clear (den z) E <-> clr z E.
Proof.
  unfold clear, den, clr; simpl. split; intros [h k]; split; intros.
  - apply h. rewrite filter_In; auto.
  - apply k. apply in_flat_map. exists (g, G). simpl. rewrite H0. simpl; auto.
  - rewrite filter_In in H. apply h; tauto.
  - apply in_flat_map in H as ((g, G') & h1 & h2). simpl in h2.
    destruct (PM.find g (cL z)) eqn:e; [|easy]. destruct h2 as [h2|[]]. injection h2 as <- <-. eauto.
Qed.
Lemma wf_den z : wfc z -> wf segs (den z).
Proof.
  intros h G i. unfold den; simpl. rewrite in_flat_map. intros ((g, G') & h1 & h2). simpl in h2.
  destruct (PM.find g (cL z)) eqn:e; [|easy]. destruct h2 as [h2|[]]. injection h2 as <- <-.
  split; [eauto|]. rewrite tab_eq in h1. eapply number_in; eauto.
Qed.

Lemma find_union z1 z2 g : PM.find g (cL (cunion z1 z2)) = omin (PM.find g (cL z1)) (PM.find g (cL z2)).
Proof. unfold cunion; simpl. unfold PM.map2. rewrite PM.gmap2 by reflexivity. now destruct (PM.find g (cL z1)), (PM.find g (cL z2)). Qed.
Lemma clr_union z1 z2 E : clr (cunion z1 z2) E -> clr z1 E /\ clr z2 E.
Proof.
  intros [h k]. split; split; intros.
  - apply h; auto. simpl. apply PS.union_spec. now left.
  - specialize (k g G). rewrite find_union, H0 in k. simpl in k.
    destruct (PM.find g (cL z2)); specialize (k _ H eq_refl); lia.
  - apply h; auto. simpl. apply PS.union_spec. now right.
  - specialize (k g G). rewrite find_union, H0 in k. simpl in k.
    destruct (PM.find g (cL z1)); specialize (k _ H eq_refl); lia.
Qed.
Lemma wfc_union z1 z2 : wfc z1 -> wfc z2 -> wfc (cunion z1 z2).
Proof.
  intros h k g i. rewrite find_union. specialize (h g). specialize (k g).
  destruct (PM.find g (cL z1)), (PM.find g (cL z2)); simpl; intro e; try discriminate; injection e as <-;
  try specialize (h _ eq_refl); try specialize (k _ eq_refl); lia.
Qed.
Lemma clr_shift u z E : wfc z -> clr (cshift u z) E -> clear (shift u (den z)) E.
Proof.
  intros wz [h k]. split.
  - intros x. simpl. rewrite filter_In. intros [h1 h2]. apply h; auto. destruct u; auto.
  - intros G i. simpl zS. rewrite in_map_iff. intros ((G', j) & e & m). cbn [fst snd] in e.
    injection e as <- <-. apply in_flat_map in m as ((g, G2) & h1 & h2). simpl in h2.
    destruct (PM.find g (cL z)) as [j'|] eqn:e; [|easy]. destruct h2 as [h2|[]]. injection h2 as <- <-.
    apply (k g G2); auto. destruct u.
    + specialize (wz _ _ e). simpl cshift. rewrite e. destruct j'; [lia|reflexivity].
    + unfold cshift, cL. rewrite PF.map_o. fold (cL z). rewrite e. reflexivity.
Qed.
Lemma wfc_shift u z : wfc z -> wfc (cshift u z).
Proof.
  intros h g i. destruct u; [apply h|]. unfold cshift, cL. rewrite PF.map_o. destruct (PM.find _ _); [|discriminate].
  unfold option_map. intro e. injection e as <-. destruct (n - S u); lia.
Qed.

(* ---------- threats ---------- *)
Definition cemp (X Y : PS.t) (G : seg) := filter (fun x => negb (PS.mem x X) && negb (PS.mem x Y)) G.
Definition cavoid (Y : PS.t) (G : seg) := forallb (fun x => negb (PS.mem x Y)) G.
Definition cblocks (M e : list positive) := existsb (fun x => inb x M) e.
Definition femp X Y (H : seg * seg) := cemp X Y (fst H).
Definition is_threat n X Y (H : seg * seg) := cavoid Y (fst H) && (cavoid X (snd H) && (length (femp X Y H) <=? n)).
Definition cdangs (X : PS.t) (eF : list seg) :=
  filter (fun gG => cavoid X (snd gG) && existsb (fun e => negb (cblocks e (snd gG))) eF) tab.
Definition mkL (f : seg -> nat) (l : list (positive * seg)) : PM.t nat :=
  fold_right (fun gG m => PM.add (fst gG) (f (snd gG)) m) (PM.empty nat) l.
Definition ctz t X Y (eF : list seg) : option cz :=
  let dl := cdangs X eF in
  if forallb (fun gG => t <? length (cemp X Y (snd gG))) dl then
    Some (CZ (fold_right adds PS.empty eF) (mkL (fun G => length (cemp X Y G) - t) dl))
  else None.

Lemma cblocks_eq e G : cblocks e G = blocks (mem dec e) G.
Proof. unfold cblocks, blocks. induction G; simpl; auto. now rewrite IHG, inb_mem. Qed.

Lemma mkL_some f l g i : PM.find g (mkL f l) = Some i -> exists G, In (g, G) l /\ i = f G.
Proof.
  induction l as [|(g', G') l IH]; simpl.
  - rewrite PM.gempty; discriminate.
  - rewrite PF.add_o. destruct (PF.eq_dec g' g) as [e|e].
    + intro h; injection h as <-. exists G'. hnf in e. subst. auto.
    + intros h. destruct (IH h) as (G & h1 & h2). eauto.
Qed.
Lemma mkL_in f l g G : (forall G1 G2, In (g, G1) l -> In (g, G2) l -> G1 = G2) -> In (g, G) l ->
  PM.find g (mkL f l) = Some (f G).
Proof.
  induction l as [|(g', G') l IH]; simpl; intros u; [tauto|]. rewrite PF.add_o.
  destruct (PF.eq_dec g' g) as [e|e].
  - hnf in e. subst. intro h. f_equal. f_equal. apply u; simpl; auto.
  - intros [h|h]; [exfalso; apply e; hnf; congruence|]. apply IH; auto.
Qed.

Lemma in_cdangs X Y F g G : In (g, G) tab -> In G (dangs dec segs (ps X) (ps Y) F) <-> In (g, G) (cdangs X (map (femp X Y) F)).
Proof.
  intro h. unfold dangs, cdangs. rewrite !filter_In. simpl. 
  assert (In G segs) by (rewrite tab_eq in h; eapply number_in; eauto).
  replace (existsb (fun e => negb (cblocks e G)) (map (femp X Y) F))
    with (existsb (fun H => negb (blocks (mem dec (emp (ps X) (ps Y) (fst H))) G)) F); [tauto|].
  clear. induction F; simpl; auto. now rewrite IHF, cblocks_eq.
Qed.

Lemma ctz_dang t X Y F z : ctz t X Y (map (femp X Y) F) = Some z ->
  forall G, In G (dangs dec segs (ps X) (ps Y) F) -> t < ucount (ps X) (ps Y) G.
Proof.
  unfold ctz. destruct (forallb _ _) eqn:e; [|discriminate]. intros _ G hG.
  assert (In G segs) as hs by (unfold dangs in hG; rewrite filter_In in hG; tauto).
  destruct (in_number 1 segs G hs) as (g & hg). rewrite <- tab_eq in hg.
  rewrite (in_cdangs X Y F g G hg) in hG. rewrite forallb_forall in e. apply e in hG.
  now apply Nat.ltb_lt in hG.
Qed.

Lemma adds_fold eF x : PS.mem x (fold_right adds PS.empty eF) = true <-> exists e, In e eF /\ In x e.
Proof.
  induction eF as [|e eF IH]; simpl.
  - split; [|firstorder]. intro h. destruct x; discriminate h.
  - rewrite addsE, IH. firstorder. subst; auto.
Qed.

Lemma ctz_refines t X Y F z : (forall H, In H F -> In H asegs) -> ctz t X Y (map (femp X Y) F) = Some z ->
  wfc z /\ forall E, clr z E -> clear (tzone dec segs t (ps X) (ps Y) F) E.
Proof.
  intros FS h. pose proof (ctz_dang _ _ _ _ _ h) as hd. revert h. unfold ctz.
  destruct (forallb _ _) eqn:e; [|discriminate]. intros h; injection h as <-. split.
  - intros g i. simpl. intro h. apply mkL_some in h as (G & h1 & ->).
    rewrite forallb_forall in e. apply e in h1. apply Nat.ltb_lt in h1. simpl in h1. lia.
  - intros E [c1 c2]. split.
    + intros x. simpl. rewrite in_flat_map. intros (H & h1 & h2). apply c1.
      * rewrite empE in h2. destruct H as [H B]. apply FS, asegs_ok in h1. apply h1. apply h2.
      * simpl. apply adds_fold. exists (femp X Y H). split; auto. now apply in_map.
    + intros G i. simpl. rewrite in_map_iff. intros (G' & e' & hG). injection e' as <- <-.
      assert (In G' segs) as hs by (unfold dangs in hG; rewrite filter_In in hG; tauto).
      destruct (in_number 1 segs G' hs) as (g & hg). rewrite <- tab_eq in hg.
      apply (c2 g); auto. simpl. 
      change (ucount (ps X) (ps Y) G' - t) with ((fun G => length (cemp X Y G) - t) G').
      apply mkL_in; [|now apply in_cdangs].
      intros G1 G2. unfold cdangs. rewrite !filter_In, tab_eq. intros [a _] [b _].
      eapply number_inj; eauto.
Qed.

(* ---------- coverage ---------- *)
Definition crep := (list positive * nat * cz)%type.
Definition clearb (z : cz) (n : list positive) :=
  forallb (fun x => negb (PS.mem x (cA z))) n &&
  forallb (fun x => match PM.find x inc with
     | None => false
     | Some l => forallb (fun gG => match PM.find (fst gG) (cL z) with
           | None => true
           | Some i => (length n <? i) || (length (filter (fun y => inb y n) (snd gG)) <? i) end) l
     end) n.
Definition test1 (m : list positive) (k : crep) :=
  let '(R, u, z) := k in
  let n := filter (fun x => negb (inb x R)) m in
  (length n <=? u) && clearb z n.
Definition test ks m := existsb (test1 m) ks.

Fixpoint extend (tst : list positive -> bool) (l : list positive) (r : nat) (M : list positive) {struct l} : bool :=
  match r, l with
  | 0, _ | _, [] => tst M
  | S r', x :: l' => (if inb x M then true else extend tst l' r' (x :: M)) && extend tst l' r M
  end.
Fixpoint cov (tst : list positive -> bool) (av : list positive) (es : list (list positive)) (r : nat) (M : list positive) : bool :=
  match es with
  | [] => extend tst av r M
  | e :: es => if cblocks M e then cov tst av es r M else
      match r with 0 => true | S r' => forallb (fun x => cov tst av es r' (x :: M)) e end
  end.

Lemma full_list (M : list positive) (M' : set positive) :
  NoDup M -> incl M bd -> sub (mem dec M) M' -> sub M' (mem dec bd) -> card bd M' <= length M ->
  forall x, M' x = mem dec M x.
Proof.
  intros ND I S S' C x. apply eq_true_iff_eq. split; [|apply S].
  intro h. rewrite memE. 
  assert (incl (filter M' bd) M).
  { apply NoDup_length_incl; auto. intros y hy. rewrite filter_In. split; auto. apply S, memE; auto. }
  apply H. rewrite filter_In. split; auto. apply S' in h. now apply memE in h.
Qed.

Lemma extend_ok tst l : forall r M (M' : set positive), extend tst l r M = true ->
  NoDup M -> incl M bd -> sub (mem dec M) M' -> sub M' (mem dec bd) ->
  (forall x, M' x = true -> In x M \/ In x l) -> card bd M' <= r + length M ->
  exists m, tst m = true /\ NoDup m /\ forall x, M' x = mem dec m x.
Proof.
  induction l as [|x l IH]; intros r M M' E ND I S S' U C.
  - exists M. split; [destruct r; auto|split; auto]. intro y. apply eq_true_iff_eq. split; [|apply S].
    intro h. apply memE. destruct (U y h) as [h'|[]]; auto.
  - destruct r as [|r].
    + exists M. simpl in E. split; auto. split; auto. apply full_list; auto.
    + simpl in E. apply andb_true_iff in E as [E1 E2]. destruct (inb x M) eqn:ex.
      * apply (IH (Datatypes.S r) M); auto. intros y h. apply inbE in ex. destruct (U y h) as [|[->|]]; auto.
      * destruct (M' x) eqn:mx.
        -- apply (IH r (x :: M)); auto.
           ++ constructor; auto. rewrite <- inbE. congruence.
           ++ intros y [->|h]; auto. apply S' in mx. now apply memE in mx.
           ++ intros y. rewrite memE. intros [->|h]; auto. apply S, memE; auto.
           ++ intros y h. simpl. destruct (U y h) as [|[->|]]; auto.
           ++ simpl. lia.
        -- apply (IH (Datatypes.S r) M); auto. intros y h. destruct (U y h) as [|[->|]]; auto. congruence.
Qed.

Lemma cov_ok tst av es : forall r M (M' : set positive), cov tst av es r M = true ->
  NoDup M -> incl M bd -> sub (mem dec M) M' -> sub M' (mem dec bd) ->
  (forall x, M' x = true -> In x av) -> card bd M' <= r + length M ->
  (forall e, In e es -> blocks M' e = true) ->
  exists m, tst m = true /\ NoDup m /\ forall x, M' x = mem dec m x.
Proof.
  induction es as [|e es IH]; intros r M M' E ND I S S' U C B.
  - eapply extend_ok; eauto.
  - simpl in E. destruct (cblocks M e) eqn:eb.
    + apply (IH r M); auto. intros; apply B; simpl; auto.
    + assert (be : blocks M' e = true) by (apply B; simpl; auto).
      apply existsb_exists in be as (x & hx & mx).
      assert (nx : ~ In x M).
      { rewrite cblocks_eq, blocksF in eb. apply eb in hx. now apply memF in hx. }
      destruct r as [|r].
      * rewrite (full_list M M') in mx by auto. apply memE in mx. easy.
      * rewrite forallb_forall in E. apply (IH r (x :: M)); auto.
        -- constructor; auto.
        -- intros y [->|h]; auto. apply S' in mx. now apply memE in mx.
        -- intros y. rewrite memE. intros [->|h]; auto. apply S, memE; auto.
        -- simpl. lia.
        -- intros; apply B; simpl; auto.
Qed.

Lemma clearb_ok z n : wfc z -> NoDup n -> clearb z n = true -> clr z (mem dec n).
Proof.
  intros wz ND h. unfold clearb in h. apply andb_true_iff in h as [h1 h2].
  rewrite forallb_forall in h1, h2. split.
  - intros x _ hx. apply memF. intro k. apply h1 in k. rewrite hx in k. discriminate.
  - intros g G i hg hi.
    destruct (existsb (fun x => inb x n) G) eqn:ex.
    + apply existsb_exists in ex as (x & xG & xn). apply inbE in xn. specialize (h2 x xn).
      rewrite inc_eq in h2.
      2:{ rewrite tab_eq in hg. apply number_in in hg. apply segs_bd in hg. auto. }
      rewrite forallb_forall in h2. specialize (h2 (g, G)). rewrite filter_In in h2. simpl in h2.
      rewrite hi in h2. rewrite inbE in h2. specialize (h2 (conj hg xG)).
      rewrite orb_true_iff, !Nat.ltb_lt in h2. 
      replace (cnt (mem dec n) G) with (length (filter (fun y => inb y n) G)).
      2:{ unfold cnt. f_equal. apply filter_ext. intro; apply inb_mem. }
      destruct h2 as [h2|h2]; auto. eapply Nat.le_lt_trans; [|exact h2].
      apply NoDup_incl_length.
      * apply NoDup_filter, segs_nd. rewrite tab_eq in hg. eapply number_in; eauto.
      * intros y. rewrite filter_In, inbE. tauto.
    + specialize (wz g i hi). replace (cnt (mem dec n) G) with 0; [lia|].
      unfold cnt. symmetry. clear - ex. induction G as [|y G IH]; auto. simpl in *.
      rewrite orb_false_iff in ex. rewrite <- inb_mem. destruct ex as [-> ex]. auto.
Qed.

Definition denk (k : crep) : rep positive := (fst k, den (snd k)).

Lemma clr_ext z E E' : (forall x, E x = E' x) -> clr z E -> clr z E'.
Proof.
  intros e [h k]. split; intros.
  - rewrite <- e; auto.
  - replace (cnt E' G) with (cnt E G); [eauto|]. unfold cnt. f_equal. apply filter_ext. auto.
Qed.

Lemma test_ok ks m (M' : set positive) : (forall k, In k ks -> wfc (snd k)) ->
  NoDup m -> incl m bd -> (forall x, M' x = mem dec m x) -> test ks m = true -> covered dec bd M' (map denk ks).
Proof.
  intros wk ND I e h. apply existsb_exists in h as (((R, u), z) & hk & h).
  unfold test1 in h. apply andb_true_iff in h as [h1 h2]. apply Nat.leb_le in h1.
  set (n := filter (fun x => negb (inb x R)) m) in *.
  assert (en : forall x, mem dec n x = diff M' (mem dec R) x).
  { intro x. apply eq_true_iff_eq. rewrite memE, diffE. unfold n.
    rewrite filter_In, negb_true_iff, e, memE, <- inb_mem. tauto. }
  assert (nn : NoDup n) by (apply NoDup_filter; auto).
  exists R, u, (den z). split; [|split].
  - apply in_map_iff. exists (R, u, z). auto.
  - replace (card bd (diff M' (mem dec R))) with (length n); auto. symmetry.
    apply cnt_list with (G := bd); auto. intro x. rewrite <- en, memE. split; [|tauto].
    intro h; split; auto. apply I. unfold n in h. rewrite filter_In in h. tauto.
  - apply denE. apply clr_ext with (mem dec n); auto. apply clearb_ok; auto. apply (wk (R, u, z) hk).
Qed.

(* ---------- the checker ---------- *)
Record entry := Entry { es : side; et : nat; eX : PS.t; eY : PS.t; ez : cz }.
Definition good (env : PM.t entry) := forall i e, PM.find i env = Some e -> 
  wfc (ez e) /\ (disj (ps (eX e)) (ps (eY e)) ->
    wins_clear dec bd segs asegs p (es e) (et e) (ps (eX e)) (ps (eY e)) (den (ez e))).
Variable env : PM.t entry.
Hypothesis env_good : good env.
Definition envP i s t X Y z := exists e, PM.find i env = Some e /\
  s = es e /\ t = et e /\ X = ps (eX e) /\ Y = ps (eY e) /\ z = den (ez e).
Definition side_eqb a b := match a, b with Att, Att | Def, Def => true | _, _ => false end.
Lemma envP_ok i s t X Y z : envP i s t X Y z -> disj X Y -> 
  wf segs z /\ wins_clear dec bd segs asegs p s t X Y z.
Proof.
  intros (e & h & -> & -> & -> & -> & ->) D. apply env_good in h as [w h]. split; auto. now apply wf_den.
Qed.
Definition cempty X Y := filter (fun x => negb (PS.mem x X) && negb (PS.mem x Y)) bd.
Definition all_empty X Y M := forallb (fun x => inb x bd && (negb (PS.mem x X) && negb (PS.mem x Y))) M.
Definition cdone Y := existsb (fun gG => forallb (fun x => PS.mem x Y) (snd gG)) tab.
Definition same (a b : list positive) := forallb (fun x => inb x b) a && forallb (fun x => inb x a) b.
Definition pair_dec (a b : seg * seg) : {a = b} + {a <> b}.
Proof. decide equality; apply (list_eq_dec dec). Defined.
Definition segb (H : seg * seg) := if in_dec pair_dec H asegs then true else false.
Definition cdzone z0 (ks : list crep) :=
  fold_right (fun k z => cunion (cshift (snd (fst k)) (snd k)) z) z0 ks.

Fixpoint check (c : cert positive) (s : side) (t : nat) (X Y : PS.t) {struct c} : option cz :=
  match c with
  | W M => match s with Def => None | Att =>
      if cdone Y then None else
      match find (fun H => is_threat t X Y H && same M (femp X Y H)) asegs with
      | Some H => ctz 0 X Y (map (femp X Y) [H])
      | None => None end end
  | A M c => match s with Def => None | Att =>
      if nodupb M && (all_empty X Y M && (length M =? Nat.min t (length (cempty X Y)))) then
        match check c Def p (adds M X) Y with
        | Some z => Some (CZ (adds M (cA z)) (cL z))
        | None => None end
      else None end
  | D oF rs => match s with Att => None | Def =>
      let F := match oF with Some F => F | None => filter (is_threat p X Y) asegs end in
      if forallb (fun H => segb H && is_threat p X Y H) F then
        let eF := map (femp X Y) F in
        match ctz t X Y eF with
        | None => None
        | Some z0 =>
          match checkR rs X Y with
          | None => None
          | Some ks => if cov (test ks) (cempty X Y) eF t [] then Some (cdzone z0 ks) else None end end
      else None end
  | Ref _ i => match PM.find i env with
      | None => None
      | Some e => if side_eqb s (es e) && ((t =? et e) && (PS.equal X (eX e) && PS.equal Y (eY e)))
                  then Some (ez e) else None end
  end
with checkR (rs : replies positive) (X Y : PS.t) {struct rs} : option (list crep) :=
  match rs with
  | RNil _ => Some []
  | RCons R u c rs =>
      if all_empty X Y R then
        match check c Att p X (adds R Y) with
        | None => None
        | Some z => match checkR rs X Y with None => None | Some ks => Some ((R, u, z) :: ks) end end
      else None
  end.

Scheme cert_mind := Induction for cert Sort Prop
with replies_mind := Induction for replies Sort Prop.
Combined Scheme cert_comb from cert_mind, replies_mind.

Lemma all_emptyE X Y M : all_empty X Y M = true -> sub (mem dec M) (empt dec bd (ps X) (ps Y)).
Proof.
  unfold all_empty. rewrite forallb_forall. intros h x. rewrite memE. intro k. apply h in k.
  rewrite !andb_true_iff, !negb_true_iff, inbE in k. apply emptE. exact k.
Qed.
Lemma adds_ext M X : forall x, ps (adds M X) x = cup (ps X) (mem dec M) x.
Proof. intro x. apply eq_true_iff_eq. rewrite cupE, memE. unfold ps. rewrite addsE. tauto. Qed.
Lemma cempty_card X Y : length (cempty X Y) = card bd (empt dec bd (ps X) (ps Y)).
Proof.
  unfold cempty, card, cnt. f_equal. apply filter_ext_in. intros x hx. unfold empt, ps.
  replace (mem dec bd x) with true; auto. symmetry. now apply memE.
Qed.
Lemma is_threatE n X Y H : is_threat n X Y H = true -> In H asegs -> threat asegs n (ps X) (ps Y) H.
Proof. unfold is_threat. rewrite !andb_true_iff, Nat.leb_le. intros (h & k & l) i. repeat split; auto. Qed.
Lemma ext_sym_refl (X : set positive) : ext X X. Proof. now intro. Qed.

Lemma cdzone_ok t X Y F z0 ks : wfc z0 -> (forall E, clr z0 E -> clear (tzone dec segs t X Y F) E) ->
  (forall k, In k ks -> wfc (snd k)) ->
  wfc (cdzone z0 ks) /\ forall E, clr (cdzone z0 ks) E -> clear (dzone dec segs t X Y F (map denk ks)) E.
Proof.
  intros w0 c0. induction ks as [|((R, u), z) ks IH]; simpl; intros wk; [auto|].
  destruct IH as [w IH]; [auto|]. assert (wfc z) by (apply (wk (R, u, z)); auto). split.
  - apply wfc_union; auto. now apply wfc_shift.
  - intros E h. apply clr_union in h as [h1 h2]. apply clear_zcup. split; auto. now apply clr_shift.
Qed.

Theorem check_comb :
  (forall c s t X Y z, check c s t X Y = Some z -> wfc z /\ valid dec bd segs asegs p envP c s t (ps X) (ps Y) (den z)) /\
  (forall rs X Y ks, checkR rs X Y = Some ks -> (forall k, In k ks -> wfc (snd k)) /\
      validR dec bd segs asegs p envP rs (ps X) (ps Y) (map denk ks)).
Proof.
  apply cert_comb.
  - (* W *) intros M s t X Y z. simpl. destruct s; [|discriminate]. destruct (cdone Y) eqn:ed; [discriminate|].
    destruct (find _ asegs) as [H|] eqn:ef; [|discriminate]. apply find_some in ef as [hs h].
    apply andb_true_iff in h as [ht hm]. intro hz.
    assert (FS : forall H', In H' [H] -> In H' asegs) by (intros H' [<-|[]]; auto).
    change [femp X Y H] with (map (femp X Y) [H]) in hz.
    destruct (ctz_refines _ _ _ _ _ FS hz) as [wz cl]. split; auto.
    apply vConv with (ps X) (ps Y) (tzone dec segs 0 (ps X) (ps Y) [H]); try apply ext_sym_refl.
    + split; [now apply wf_den|]. intros E _ hE. apply cl. now apply denE.
    + apply vW.
      * now apply is_threatE.
      * unfold same in hm. rewrite andb_true_iff, !forallb_forall in hm. destruct hm as [h1 h2].
        intro x. split; intro hx; [apply h1 in hx|apply h2 in hx]; apply inbE; auto.
      * intros (G & h1 & h2). enough (cdone Y = true) by congruence. apply existsb_exists.
        destruct (in_number 1 segs G h1) as (g & hg). exists (g, G). rewrite tab_eq. split; auto.
        apply forallb_forall. auto.
  - (* A *) intros M c IH s t X Y z. simpl. destruct s; [|discriminate].
    destruct (nodupb M && _) eqn:e; [|discriminate]. rewrite !andb_true_iff, Nat.eqb_eq in e.
    destruct e as (e1 & e2 & e3). destruct (check c Def p (adds M X) Y) as [z'|] eqn:ec; [|discriminate].
    intro h; injection h as <-. destruct (IH _ _ _ _ _ ec) as [wz v]. 
    assert (wz' : wfc (CZ (adds M (cA z')) (cL z'))) by exact wz. split; auto.
    pose proof (all_emptyE _ _ _ e2) as sM.
    apply vConv with (ps X) (ps Y) (addA M (den z')); try apply ext_sym_refl.
    + split; [now apply wf_den|]. intros E _ hE. apply denE in hE as [h1 h2]. simpl in h1, h2.
      assert (cl : clear (den z') E).
      { apply denE. split; auto. intros x hx k. apply h1; auto. apply addsE; auto. }
      destruct cl as [c1 c2]. split; auto. intros x. simpl. rewrite in_app_iff. intros [k|k]; auto.
      apply h1; [|apply addsE; auto]. apply memE with (sq_dec := dec), sM in k. apply emptE in k; tauto.
    + apply vA; auto.
      * now apply nodupbE.
      * now rewrite <- cempty_card.
      * apply vConv with (ps (adds M X)) (ps Y) (den z'); auto using ext_sym_refl.
        -- intro x; apply adds_ext.
        -- split; auto. now apply wf_den.
  - (* D *) intros oF rs IH s t X Y z. simpl. destruct s; [discriminate|].
    set (F := match oF with Some F => F | None => filter (is_threat p X Y) asegs end).
    destruct (forallb _ F) eqn:eF; [|discriminate]. rewrite forallb_forall in eF.
    destruct (ctz t X Y (map (femp X Y) F)) as [z0|] eqn:ez; [|discriminate].
    destruct (checkR rs X Y) as [ks|] eqn:ek; [|discriminate].
    destruct (cov _ _ _ _ _) eqn:ecv; [|discriminate]. intro h; injection h as <-.
    destruct (IH _ _ _ ek) as [wk vk].
    assert (FS : forall H, In H F -> In H asegs).
    { intros H h. apply eF in h. apply andb_true_iff in h as [h _]. unfold segb in h.
      destruct (in_dec _ _ _); auto; discriminate. }
    destruct (ctz_refines _ _ _ _ _ FS ez) as [w0 c0].
    destruct (cdzone_ok _ _ _ _ _ ks w0 c0 wk) as [wz cl]. split; auto.
    apply vConv with (ps X) (ps Y) (dzone dec segs t (ps X) (ps Y) F (map denk ks)); try apply ext_sym_refl.
    + split; [now apply wf_den|]. intros E _ hE. apply cl. now apply denE.
    + apply vD; auto.
      * intros H h. apply is_threatE; auto. apply eF in h. apply andb_true_iff in h; tauto.
      * eapply ctz_dang; eauto.
      * intros M [L1 L2] B.
        destruct (cov_ok _ _ _ _ _ M ecv) as (m & h1 & h2 & h3).
        -- constructor.
        -- intros x [].
        -- intros x h; discriminate h.
        -- intros x h. apply L1, emptE in h. apply memE; tauto.
        -- intros x h. apply L1, emptE in h. unfold cempty. rewrite filter_In.
           destruct h as (a & b & c). unfold ps in *. rewrite b, c. auto.
        -- simpl. lia.
        -- intros e he. apply in_map_iff in he as (H & <- & hH). apply B; auto.
        -- eapply test_ok; eauto. intros x h. apply memE with (sq_dec := dec) in h. rewrite <- h3 in h.
           apply L1, emptE in h; tauto.
  - (* Ref *) intros i s t X Y z. simpl. destruct (PM.find i env) as [e|] eqn:ei; [|discriminate].
    destruct (side_eqb s (es e) && _) eqn:eb; [|discriminate]. rewrite !andb_true_iff, Nat.eqb_eq in eb.
    destruct eb as (e1 & e2 & e3 & e4). intro h; injection h as <-.
    assert (EQ : forall a b, PS.equal a b = true -> ext (ps b) (ps a)).
    { intros a b h x. apply PS.equal_spec in h. apply eq_true_iff_eq. symmetry. apply (h x). }
    assert (s = es e) by (destruct s, (es e); auto; discriminate).
    destruct (env_good _ _ ei) as [wz _]. split; auto.
    apply vConv with (ps (eX e)) (ps (eY e)) (den (ez e)); auto.
    + split; auto. now apply wf_den.
    + apply vRef. exists e. auto 10.
  - intros X Y ks h. injection h as <-. split; [intros k []|constructor].
  - intros R u c IHc rs IHr X Y ks. simpl. destruct (all_empty X Y R) eqn:e; [|discriminate].
    destruct (check c Att p X (adds R Y)) as [z|] eqn:ez; [|discriminate].
    destruct (checkR rs X Y) as [ks'|] eqn:ek; [|discriminate]. intro h; injection h as <-.
    destruct (IHc _ _ _ _ _ ez) as [wz v]. destruct (IHr _ _ _ ek) as [wk vk]. split.
    + intros k [<-|h]; auto.
    + simpl. apply vCons; auto.
      * now apply all_emptyE.
      * apply vConv with (ps X) (ps (adds R Y)) (den z); auto using ext_sym_refl.
        -- intro x; apply adds_ext.
        -- split; auto. now apply wf_den.
Qed.

Lemma check_good c s t X Y z : check c s t X Y = Some z -> 
  wfc z /\ (disj (ps X) (ps Y) -> wins_clear dec bd segs asegs p s t (ps X) (ps Y) (den z)).
Proof.
  intro h. apply check_comb in h as [w v]. split; auto. intro D.
  apply (proj1 (soundness_comb bd_nd segs_nd asegs_ok envP envP_ok) _ _ _ _ _ _ v D).
Qed.
End Check.

(* a list of lemmas, each of which may refer to those before it *)
Definition lemma := (side * nat * list positive * list positive * cert positive)%type.
Fixpoint run bd asegs p tab inc (n : positive) (ls : list lemma) (env : PM.t entry) : option (PM.t entry) :=
  match ls with
  | [] => Some env
  | (s, t, X, Y, c) :: ls =>
      let X' := adds X PS.empty in let Y' := adds Y PS.empty in
      match check bd asegs p tab inc env c s t X' Y' with
      | None => None
      | Some z => run bd asegs p tab inc (Pos.succ n) ls (PM.add n (Entry s t X' Y' z) env) end
  end.

(* ---------- the concrete game ---------- *)
Definition sqr (m x y : nat) : positive := Pos.of_succ_nat (y * m + x).
Definition board (m n : nat) : list positive :=
  flat_map (fun y => map (fun x => sqr m x y) (seq 0 m)) (seq 0 n).
Definition line (m k x y : nat) (dx dy : nat -> nat -> nat) : seg :=
  map (fun i => sqr m (dx x i) (dy y i)) (seq 0 k).
Definition here (a i : nat) := a.
Definition onb (c : bool) (a : positive) := if c then [a] else [].
(* every segment with the squares just beyond its ends (used by the exact rule only) *)
Definition lines (m n k : nat) : list (seg * seg) :=
  flat_map (fun y => flat_map (fun x =>
    (if x + k <=? m then [(line m k x y Nat.add here,
       onb (1 <=? x) (sqr m (x-1) y) ++ onb (x+k <? m) (sqr m (x+k) y))] else []) ++
    (if y + k <=? n then [(line m k x y here Nat.add,
       onb (1 <=? y) (sqr m x (y-1)) ++ onb (y+k <? n) (sqr m x (y+k)))] else []) ++
    (if (x + k <=? m) && (y + k <=? n) then [(line m k x y Nat.add Nat.add,
       onb ((1 <=? x) && (1 <=? y)) (sqr m (x-1) (y-1)) ++ onb ((x+k <? m) && (y+k <? n)) (sqr m (x+k) (y+k)))] else []) ++
    (if (k <=? x + 1) && (y + k <=? n) then [(line m k x y Nat.sub Nat.add,
       onb ((x+1 <? m) && (1 <=? y)) (sqr m (x+1) (y-1)) ++ onb ((k <=? x) && (y+k <? n)) (sqr m (x-k) (y+k)))] else []))
   (seq 0 m)) (seq 0 n).
Definition rule (exact : bool) (HB : seg * seg) : seg * seg := if exact then HB else (fst HB, []).
Definition game_lines (exact : bool) (m n k : nat) := map (rule exact) (lines m n k).
Definition mkinc (tab : list (positive * seg)) (bd : list positive) :=
  fold_right (fun x m => PM.add x (filter (fun gG => inb x (snd gG)) tab) m) (PM.empty _) bd.

Lemma mkincE tab bd x : In x bd -> PM.find x (mkinc tab bd) = Some (filter (fun gG => inb x (snd gG)) tab).
Proof.
  induction bd as [|y bd IH]; [easy|]. simpl. rewrite PF.add_o. destruct (PF.eq_dec y x) as [e|e].
  - hnf in e. now subst.
  - intros [h|h]; [congruence|auto].
Qed.

(* attacker stones X, defender stones Y; the well-formedness of the game is checked, too *)
Definition verify (exact : bool) (m n k p : nat) (ls : list lemma) (X Y : list positive) (s : side) (t : nat) (c : cert positive) : bool :=
  let bd := board m n in
  let asg := game_lines exact m n k in
  let sg := map fst asg in
  let tab := number 1 sg in
  let inc := mkinc tab bd in
  nodupb bd && (forallb (fun HB => nodupb (fst HB) && (forallb (fun x => inb x bd) (fst HB) &&
                    forallb (fun x => negb (inb x (fst HB))) (snd HB))) asg &&
  (forallb (fun x => negb (inb x Y)) X &&
  match run bd asg p tab inc 1 ls (PM.empty entry) with
  | None => false
  | Some env => match check bd asg p tab inc env c s t (adds X PS.empty) (adds Y PS.empty) with Some _ => true | None => false end
  end)).

(* the game itself, stone by stone, with the real rule for both sides *)
Definition attacker_wins_game (exact : bool) (m n k p : nat) :=
  swin positive dec (board m n) (game_lines exact m n k) p.

Theorem verify_sound exact m n k p ls X Y s t c : verify exact m n k p ls X Y s t c = true ->
  attacker_wins_game exact m n k p s t (mem dec X) (mem dec Y).
Proof.
  unfold verify. rewrite !andb_true_iff, !forallb_forall. intros (h1 & h2 & h3 & h4).
  apply nodupbE in h1. set (asg := game_lines exact m n k) in *. set (sg := map fst asg) in *.
  assert (ok : forall H B, In (H, B) asg -> NoDup H /\ incl H (board m n) /\ forall x, In x B -> ~ In x H).
  { intros H B h. apply h2 in h. cbn [fst snd] in h. rewrite !andb_true_iff, !forallb_forall in h.
    destruct h as (a & b & c'). split; [now apply nodupbE|split].
    - intros x hx. apply inbE; auto.
    - intros x hx k'. apply c' in hx. apply inbE in k'. rewrite k' in hx. discriminate. }
  assert (okS : forall G, In G sg -> NoDup G /\ incl G (board m n)).
  { intros G h. apply in_map_iff in h as ((H, B) & <- & h). apply ok in h. simpl; tauto. }
  set (tab := number 1 sg) in *. set (inc := mkinc tab (board m n)) in *.
  assert (GR : forall ls n0 env env', good (board m n) sg asg p tab env -> 
     run (board m n) asg p tab inc n0 ls env = Some env' -> good (board m n) sg asg p tab env').
  { clear h4 ls. induction ls as [|((((s', t'), X'), Y'), c') ls IH]; intros n0 env env' g; simpl.
    - intro h; injection h as <-; auto.
    - destruct (check _ _ _ _ _ _ _ _ _ _ _) as [z|] eqn:e; [|discriminate]. apply IH.
      intros i en. rewrite PF.add_o. destruct (PF.eq_dec n0 i); [|apply g].
      intro h; injection h as <-. simpl.
      eapply check_good with (segs := sg); eauto; try apply okS. intros; now apply mkincE. }
  destruct (run _ _ _ _ _ _ _ _) as [env|] eqn:er; [|discriminate].
  apply GR in er; [|intros i en; rewrite PM.gempty; discriminate].
  destruct (check _ _ _ _ _ _ _ _ _ _ _) as [z|] eqn:e; [|discriminate].
  apply check_good with (segs := sg) in e as [wz v]; auto; try apply okS;
    [|intros; now apply mkincE].
  assert (ex : forall L x, ps (adds L PS.empty) x = mem dec L x).
  { intros L x. apply eq_true_iff_eq. unfold ps. rewrite addsE, memE.
    split; [intros [|hh]; auto; destruct x; discriminate hh|auto]. }
  assert (dj : disj (mem dec X) (mem dec Y)).
  { intros x hx. apply memE, h3 in hx. rewrite inb_mem in hx. now apply negb_true_iff in hx. }
  assert (w : win dec (board m n) sg asg p s t (ps (adds X PS.empty)) (ps (adds Y PS.empty))).
  { assert (dj' : disj (ps (adds X PS.empty)) (ps (adds Y PS.empty))).
    { intros x. rewrite !ex. apply dj. }
    apply monotonicity with (@none positive); auto. apply v; auto.
    - intros x h; discriminate h.
    - eapply clear_none. apply wf_den with (segs := sg); auto. }
  apply win_swin with (segs := sg); auto.
  - intros H B h. apply (in_map fst) in h. exact h.
  - eapply win_mono; eauto; intros x; [auto|rewrite ex; auto].
Qed.
Print Assumptions verify_sound.

Example n19 : length (lines 19 19 6) = 924. Proof. vm_compute. reflexivity. Qed.

Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt.
Extraction "checker.ml" verify sqr.
