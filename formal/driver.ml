(* Reads certificates of bounded boards for the extracted checker. This reader is not verified; it
   refuses what it does not understand. Usage: driver FILE...; exit code 0 when all are verified. *)
open Checker

let rec positive n =
  if n = 1 then XH else if n land 1 = 1 then XI (positive (n / 2)) else XO (positive (n / 2))

let read_file path =
  let channel = open_in_bin path in
  let text = really_input_string channel (in_channel_length channel) in
  close_in channel;
  text

let without_comment line =
  match String.index_opt line '#' with Some i -> String.sub line 0 i | None -> line

let words text =
  String.split_on_char '\n' text
  |> List.map without_comment
  |> List.concat_map (String.split_on_char ' ')
  |> List.concat_map (String.split_on_char '\t')
  |> List.map String.trim
  |> List.filter (fun word -> word <> "")

let check path =
  let tokens = Array.of_list (words (read_file path)) and next = ref 0 in
  let peek () = if !next < Array.length tokens then tokens.(!next) else "" in
  let take () = let word = peek () in if word = "" then failwith "the file ends too soon"; incr next; word in
  let expect word = if take () <> word then failwith ("expected " ^ word) in
  let number () = int_of_string (take ()) in
  expect "sixproof-certificate"; expect "1"; expect "game";
  let cols = number () in let rows = number () in let k = number () in
  let p = number () in let _q = number () in
  if cols = 0 then failwith "unbounded boards are not covered";
  let exact = peek () = "exact" in
  if exact then incr next;
  let is_digit c = c >= '0' && c <= '9' and is_capital c = c >= 'A' && c <= 'Z' in
  let is_square word =
    String.length word > 1 && is_capital word.[0] && is_digit word.[String.length word - 1] in
  let square word =
    let column = ref 0 and i = ref 0 in
    while is_capital word.[!i] do
      column := !column * 26 + Char.code word.[!i] - 64; incr i
    done;
    let row = int_of_string (String.sub word !i (String.length word - !i)) in
    if !column > cols || row < 1 || row > rows then failwith (word ^ " is off the board");
    sqr cols (!column - 1) (row - 1) in
  let squares () =
    let list = ref [] in
    while is_square (peek ()) do list := square (take ()) :: !list done;
    List.rev !list in
  expect "attacker"; let attacker = take () in
  expect "black"; let black = squares () in
  expect "white"; let white = squares () in
  expect "to-move"; let to_move = take () in let count = number () in
  let lines = game_lines exact cols rows k in
  (* The segments with these two ends; of one square there are several. *)
  let segment word =
    match String.split_on_char '-' word with
    | [a; b] ->
      let a = square a and b = square b in
      let ends (line, _) = List.hd line, List.nth line (k - 1) in
      (match List.find_opt (fun l -> ends l = (a, b) || ends l = (b, a)) lines with
       | Some line -> line
       | None -> failwith (word ^ " is no segment"))
    | _ -> failwith (word ^ " is no segment") in
  let lemmas = ref [] and lemma_count = ref 0 and mark_count = ref 0 and nodes = ref 0 in
  let marks = Hashtbl.create 64 in
  let rec node side t x y =
    match take () with
    | "@" ->
      let mark = !mark_count in
      incr mark_count;
      let certificate = node side t x y in
      incr lemma_count;
      Hashtbl.replace marks mark !lemma_count;
      lemmas := ((((side, t), x), y), certificate) :: !lemmas;
      Ref (positive !lemma_count)
    | "=" -> Ref (positive (Hashtbl.find marks (number ())))
    | "W" -> incr nodes; W (squares ())
    | "A" ->
      incr nodes;
      let move = squares () in
      A (move, node Def p (move @ x) y)
    | "D" -> incr nodes; D (None, replies t x y)
    | "D!" ->
      incr nodes;
      let threats = List.init (number ()) (fun _ -> segment (take ())) in
      D (Some threats, replies t x y)
    | word -> failwith (word ^ " is no node")
  and replies t x y =
    let count = number () in
    let list = List.init count (fun _ ->
      expect "R";
      let r = squares () in
      let u =
        let word = peek () in
        if word <> "" && word.[0] = '~'
        then (incr next; int_of_string (String.sub word 1 (String.length word - 1)))
        else max 0 (t - List.length r) in
      r, u, node Att p x (r @ y)) in
    List.fold_right (fun (r, u, child) rest -> RCons (r, u, child, rest)) list RNil in
  let x, y = if attacker = "black" then black, white else white, black in
  let side = if to_move = attacker then Att else Def in
  let certificate = node side count x y in
  if !next <> Array.length tokens then failwith "something follows the last node";
  verify exact cols rows k p (List.rev !lemmas) x y side count certificate, !nodes

let () =
  let all = ref true in
  for i = 1 to Array.length Sys.argv - 1 do
    let path = Sys.argv.(i) in
    let verdict =
      match check path with
      | true, nodes -> Printf.sprintf "verified (%d nodes)" nodes
      | false, _ -> all := false; "rejected"
      | exception Failure why -> all := false; "unreadable: " ^ why
      | exception Not_found -> all := false; "unreadable: no such mark" in
    Printf.printf "%s: %s\n%!" path verdict
  done;
  exit (if !all then 0 else 1)
