(** * Two-player games of perfect information, and what a player can guarantee

    These definitions say what a certificate proves. Trust them, the rules of the game and Coq. You need not trust the
    checker (Checker.v), nor the table and the text that it reads (Certificate.v): their soundness is proved. *)

From Coq Require Import ZArith List Lia.
Import ListNotations.
Open Scope Z_scope.

Inductive player := First | Second.

(** States are integers. Utilities are those of the first player. *)
Record action := Action { legal : Z -> bool; result : Z -> Z }.

Record game := Game {
  is_terminal : Z -> bool;
  to_move : Z -> player;       (** who moves in a nonterminal state *)
  actions : list action;
  utility : Z -> Z;            (** of a terminal state *)
  endless : Z                  (** the utility of play that never ends *)
}.

(** What a utility is worth to a player. *)
Definition worth (o : player) (u : Z) : Z := match o with First => u | Second => - u end.

Section Plays.
  Variable G : game.

  Definition moves (s t : Z) : Prop :=
    is_terminal G s = false /\ exists a, In a (actions G) /\ legal a s = true /\ result a s = t.

  (** A strategy tells its owner which state to move to. The other player may make any move. *)
  Definition strategy := Z -> Z.

  Definition moves_by (o : player) (sigma : strategy) (s t : Z) : Prop :=
    moves s t /\ (to_move G s = o -> t = sigma s).

  (** The states reachable from [s] if [o] follows [sigma]. *)
  Inductive reached (o : player) (sigma : strategy) (s : Z) : Z -> Prop :=
  | reached_start : reached o sigma s s
  | reached_next t u : reached o sigma s t -> moves_by o sigma t u -> reached o sigma s u.

  (** Every reachable nonterminal state has a move. In particular, [sigma] makes a legal move in each of them in which
      its owner is to move. *)
  Definition never_stuck (o : player) (sigma : strategy) (s : Z) : Prop :=
    forall t, reached o sigma s t -> is_terminal G t = false -> exists u, moves_by o sigma t u.

  (** A complete play in which [o] follows [sigma]: an infinite sequence of states, in which a terminal state repeats
      for ever. *)
  Definition play (o : player) (sigma : strategy) (p : nat -> Z) : Prop :=
    forall n, if is_terminal G (p n) then p (S n) = p n else moves_by o sigma (p n) (p (S n)).

  Definition outcome (p : nat -> Z) (u : Z) : Prop :=
    (exists n, is_terminal G (p n) = true /\ u = utility G (p n))
    \/ (forall n, is_terminal G (p n) = false) /\ u = endless G.

  (** [o] has a strategy that gets [o] at least [g] from [s], whatever the other player does. *)
  Definition guarantees (o : player) (g : Z) (s : Z) : Prop :=
    exists sigma, never_stuck o sigma s
      /\ forall p u, play o sigma p -> p 0%nat = s -> outcome p u -> g <= worth o u.

  Definition has_value (s v : Z) : Prop := guarantees First v s /\ guarantees Second (- v) s.

  (** ** A state has at most one value

      Given a strategy of each player, [common] is the play in which both follow theirs. Its outcome bounds what each
      of the two can guarantee. *)

  Lemma play_reaches o sigma p n : play o sigma p -> reached o sigma (p 0%nat) (p n).
  Proof.
    intros P. induction n as [|n IH]; [constructor|].
    specialize (P n). destruct (is_terminal G (p n)).
    - now rewrite P.
    - econstructor; eauto.
  Qed.

  Section Common.
    Variables (sigma tau : strategy) (s : Z).
    Hypothesis sigma_ok : never_stuck First sigma s.
    Hypothesis tau_ok : never_stuck Second tau s.

    Definition next (t : Z) : Z :=
      if is_terminal G t then t else match to_move G t with First => sigma t | Second => tau t end.

    Definition common (n : nat) : Z := Nat.iter n next s.

    Lemma common_step t : reached First sigma s t -> reached Second tau s t -> is_terminal G t = false ->
      moves_by First sigma t (next t) /\ moves_by Second tau t (next t).
    Proof.
      intros R1 R2 E. unfold next. rewrite E.
      destruct (sigma_ok t R1 E) as (u & U & U1), (tau_ok t R2 E) as (w & W & W1).
      unfold moves_by. destruct (to_move G t).
      - rewrite <- (U1 eq_refl). repeat split; try apply U; auto; discriminate.
      - rewrite <- (W1 eq_refl). repeat split; try apply W; auto; discriminate.
    Qed.

    Lemma common_reached n : reached First sigma s (common n) /\ reached Second tau s (common n).
    Proof.
      induction n as [|n (R1 & R2)]; [split; constructor|].
      change (common (S n)) with (next (common n)). destruct (is_terminal G (common n)) eqn:E.
      - unfold next. now rewrite E.
      - destruct (common_step _ R1 R2 E). split; econstructor; eauto.
    Qed.

    Lemma common_play : play First sigma common /\ play Second tau common.
    Proof.
      split; intros n; change (common (S n)) with (next (common n)); destruct (common_reached n) as (R1 & R2);
        destruct (is_terminal G (common n)) eqn:E; try (unfold next; now rewrite E); now apply common_step.
    Qed.
  End Common.

  Theorem guarantees_meet s g h : guarantees First g s -> guarantees Second h s -> g <= - h.
  Proof.
    intros (sigma & S1 & P1) (tau & S2 & P2). destruct (common_play sigma tau s S1 S2) as (C1 & C2).
    set (p := common sigma tau s) in *.
    assert (both : forall u, outcome p u -> g <= - h).
    { intros u U. pose proof (P1 p u C1 eq_refl U). pose proof (P2 p u C2 eq_refl U). simpl in *. lia. }
    destruct (Z.le_decidable g (- h)) as [L|L]; [exact L|]. apply (both (endless G)). right. split; [|reflexivity].
    intros n. destruct (is_terminal G (p n)) eqn:E; [|reflexivity].
    exfalso. apply L, (both (utility G (p n))). left. now exists n.
  Qed.

  Theorem value_unique s v w : has_value s v -> has_value s w -> v = w.
  Proof.
    intros (V1 & V2) (W1 & W2).
    pose proof (guarantees_meet _ _ _ V1 W2). pose proof (guarantees_meet _ _ _ W1 V2). lia.
  Qed.
End Plays.
