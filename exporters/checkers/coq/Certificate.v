(** * Printed rules and certificates

    The rules of a game are printed as functions from [Z] to [Z]. In their results 0 is false, and 0 is the number of
    the first player. The set of states of a certificate is printed as text. [entries_of] reads it into a list, which
    [table_of] turns into a binary trie over the bits of states. Nothing about reading has to be proved: a text that is
    read wrongly gives a different set of states, which proves the same claim if the checker accepts it. *)

From Coq Require Import ZArith NArith List Bool FMapPositive.
From Coq.Init Require Import Byte.
From Perfectplay Require Import Game Checker.
Import ListNotations.
Open Scope Z_scope.

Definition truth (rule : Z -> Z) (s : Z) : bool := match rule s with 0 => false | _ => true end.

Definition mover (rule : Z -> Z) (s : Z) : player := match rule s with 0 => First | _ => Second end.

(** ** The table *)

Definition key (s : Z) : positive := match s with Z0 => xH | Zpos p => xO p | Zneg p => xI p end.

Lemma key_injective s t : key s = key t -> s = t.
Proof. destruct s, t; simpl; congruence. Qed.

Definition add (table : PositiveMap.t N) (entry : Z * N) : PositiveMap.t N :=
  PositiveMap.add (key (fst entry)) (snd entry) table.

Definition table_of (entries : list (Z * N)) : PositiveMap.t N := fold_left add entries (PositiveMap.empty N).

Lemma fold_sound entries : forall table s r, PositiveMap.find (key s) (fold_left add entries table) = Some r ->
  In (s, r) entries \/ PositiveMap.find (key s) table = Some r.
Proof.
  induction entries as [|(t, q) l IH]; intros table s r F; simpl in *; [auto|].
  destruct (IH _ _ _ F) as [I|I]; [auto|]. unfold add in I. simpl in I.
  destruct (Pos.eq_dec (key s) (key t)) as [K|K].
  - rewrite K, PositiveMap.gss in I. injection I as <-. apply key_injective in K as <-. auto.
  - rewrite PositiveMap.gso in I by exact K. auto.
Qed.

(** ** The checker on a list of entries, whose table it builds *)

Definition check (G : game) (o : player) (goal start : Z) (entries : list (Z * N)) : bool :=
  let table := table_of entries in accepts G o goal entries (fun s => PositiveMap.find (key s) table) start.

Theorem check_sound G o goal start entries : check G o goal start entries = true -> guarantees G o goal start.
Proof.
  apply accepts_sound. intros s r F. destruct (fold_sound _ _ _ _ F) as [I|I]; [exact I|].
  rewrite PositiveMap.gempty in I. discriminate.
Qed.

(** ** Text

    Each character from "0" to "o" holds six bits: five bits of a number, the highest first, and above them a bit that
    says that more characters of this number follow. *)

Inductive text := Text (bytes : list byte).
Definition bytes_of (t : text) : list byte := let (bytes) := t in bytes.
Declare Scope text_scope.
Delimit Scope text_scope with text.
String Notation text Text bytes_of : text_scope.

Fixpoint numbers (number : N) (bytes : list byte) : list N :=
  match bytes with
  | [] => []
  | b :: bytes =>
      let six := N.sub (Byte.to_N b) 48 in
      let number := N.lor (N.shiftl number 5) (N.land six 31) in
      if N.ltb six 32 then number :: numbers 0 bytes else numbers number bytes
  end.

(** The states are ascending. The numbers are the differences between them, each followed by a rank if there are
    ranks. *)
Fixpoint states (last : N) (differences : list N) : list (Z * N) :=
  match differences with
  | [] => []
  | d :: l => let s := N.add last d in (Z.of_N s, 0%N) :: states s l
  end.

Fixpoint ranked_states (last : N) (differences : list N) : list (Z * N) :=
  match differences with
  | d :: r :: l => let s := N.add last d in (Z.of_N s, r) :: ranked_states s l
  | _ => []
  end.

Definition entries_of (ranked : bool) (lines : list text) : list (Z * N) :=
  (if ranked then ranked_states else states) 0%N (flat_map (fun t => numbers 0 (bytes_of t)) lines).

(** The entries and their images under the symmetries of the rules. The checker checks each image like any other entry,
    so nothing has to be proved about symmetries. *)
Definition with_images (maps : list (Z -> Z)) (entries : list (Z * N)) : list (Z * N) :=
  flat_map (fun entry => entry :: map (fun f => (f (fst entry), snd entry)) maps) entries.
