(** * A checker of certificates, and the proof that it is sound

    A certificate claims that a player, its owner, can get at least a goal. It is a set of states. A state is good if it
    is in the set, or terminal with at least the goal for the owner. It is answered if the other player is to move, has
    a move, and every move leads to a good state. The checker verifies that each terminal state of the set has at least
    the goal for the owner, and that each other state of the set is answered, or has a move of the owner to a good or
    answered state. So the owner can make play return to good states, within two plies each time.

    If endless play is worth less than the goal to the owner, each state of the set has a rank, and each return must
    end play or lead to a state of the set with a lower rank. So play ends. *)

From Coq Require Import ZArith NArith List Bool Lia Wf_nat.
From Perfectplay Require Import Game.
Import ListNotations.
Open Scope Z_scope.

Definition is_player (o q : player) : bool :=
  match o, q with First, First | Second, Second => true | _, _ => false end.

Lemma is_player_spec o q : is_player o q = true <-> q = o.
Proof. destruct o, q; simpl; split; congruence. Qed.

Section Checker.
  Variables (G : game) (o : player) (goal : Z).
  Variable entries : list (Z * N).                      (** the states of the set with their ranks *)
  Variable rank_of : Z -> option N.                     (** the same as a lookup function *)
  Hypothesis rank_of_sound : forall s r, rank_of s = Some r -> In (s, r) entries.

  Definition needs_ranks : bool := worth o (endless G) <? goal.

  (** The tests use [if] in place of [&&] and [||], both sides of which [vm_compute] would always evaluate. *)

  Fixpoint find_move (test : Z -> bool) (s : Z) (l : list action) : option Z :=
    match l with
    | [] => None
    | a :: l => if legal a s then let t := result a s in if test t then Some t else find_move test s l
                else find_move test s l
    end.

  Definition some (test : Z -> bool) (s : Z) : bool :=
    match find_move test s (actions G) with Some _ => true | None => false end.

  (** There is a move, and every move passes the test. *)
  Definition every (test : Z -> bool) (s : Z) : bool :=
    if some (fun t => negb (test t)) s then false else some (fun _ => true) s.

  Definition ends_well (s : Z) : bool := goal <=? worth o (utility G s).

  (** [s] is in the set, with a rank below [r] if ranks are needed; or it is terminal with at least the goal. *)
  Definition good (r : N) (s : Z) : bool :=
    if match rank_of s with Some q => if needs_ranks then N.ltb q r else true | None => false end then true
    else if is_terminal G s then ends_well s else false.

  (** The other player is to move in [s], has a move, and every move leads to a good state. *)
  Definition answered (r : N) (s : Z) : bool :=
    if is_terminal G s then false else if is_player o (to_move G s) then false else every (good r) s.

  Definition good_or_answered (r : N) (s : Z) : bool := if good r s then true else answered r s.

  Definition right (entry : Z * N) : bool :=
    let (s, r) := entry in
    if is_terminal G s then ends_well s
    else if is_player o (to_move G s) then some (good_or_answered r) s else every (good r) s.

  Definition top : N := N.succ (fold_left (fun r entry => N.max r (snd entry)) entries 0%N).

  Definition accepts (start : Z) : bool :=
    if forallb right entries then good_or_answered top start else false.

  (** ** The strategy: the first move to a good or answered state *)

  Definition sigma (s : Z) : Z :=
    match rank_of s with
    | None => s
    | Some r => match find_move (good_or_answered r) s (actions G) with Some t => t | None => s end
    end.

  Lemma find_move_some test s t : is_terminal G s = false -> find_move test s (actions G) = Some t ->
    moves G s t /\ test t = true.
  Proof.
    intros E F. unfold moves. enough ((exists a, In a (actions G) /\ legal a s = true /\ result a s = t)
      /\ test t = true) by tauto.
    induction (actions G) as [|a l IH]; [discriminate|]. simpl in F. destruct (legal a s) eqn:L.
    - destruct (test (result a s)) eqn:T.
      + injection F as <-. split; [exists a; simpl|]; auto.
      + destruct (IH F) as ((b & B & H) & H'). split; [exists b; simpl|]; auto.
    - destruct (IH F) as ((b & B & H) & H'). split; [exists b; simpl|]; auto.
  Qed.

  Lemma find_move_none test s t : find_move test s (actions G) = None -> moves G s t -> test t = false.
  Proof.
    intros F (_ & a & A & L & <-). induction (actions G) as [|b l IH]; [contradiction|].
    simpl in F. destruct A as [->|A].
    - rewrite L in F. destruct (test (result a s)); congruence.
    - destruct (legal b s); [destruct (test (result b s)); [discriminate|]|]; auto.
  Qed.

  Lemma every_spec test s : is_terminal G s = false -> every test s = true ->
    (exists t, moves G s t) /\ forall t, moves G s t -> test t = true.
  Proof.
    intros E H. unfold every, some in H. destruct (find_move (fun t => negb (test t)) _ _) eqn:N; [discriminate|].
    destruct (find_move (fun _ => true) _ _) as [t|] eqn:F; [|discriminate]. split.
    - exists t. now apply (find_move_some _ _ _ E F).
    - intros u M. apply negb_false_iff. exact (find_move_none _ _ _ N M).
  Qed.

  (** ** The invariant

      The owner's strategy keeps play in safe states. A safe state has a distance [d]: twice a rank bound [r] if it is
      good below [r], one more if it is answered below [r]. If ranks are needed, every move lowers the distance. *)

  Hypothesis all_right : forallb right entries = true.

  Definition safe (d : nat) (s : Z) : Prop :=
    exists r, d = (2 * N.to_nat r)%nat /\ good r s = true \/ d = S (2 * N.to_nat r) /\ answered r s = true.

  Lemma safe_of r s : good_or_answered r s = true -> exists d, safe d s /\ (d <= S (2 * N.to_nat r))%nat.
  Proof.
    unfold good_or_answered. destruct (good r s) eqn:H.
    - intros _. exists (2 * N.to_nat r)%nat. split; [exists r; auto|lia].
    - intros A. exists (S (2 * N.to_nat r)). split; [exists r; auto|lia].
  Qed.

  Lemma entry_right s r : rank_of s = Some r -> right (s, r) = true.
  Proof. intros F. apply (proj1 (forallb_forall _ _) all_right). now apply rank_of_sound. Qed.

  Lemma safe_ends_well d s : safe d s -> is_terminal G s = true -> goal <= worth o (utility G s).
  Proof.
    intros (r & [(_ & H)|(_ & H)]) E; [|unfold answered in H; rewrite E in H; discriminate].
    apply Z.leb_le. change (ends_well s = true). unfold good in H. rewrite E in H.
    destruct (rank_of s) as [q|] eqn:F; [|exact H]. apply entry_right in F. simpl in F. now rewrite E in F.
  Qed.

  Lemma every_by r s : is_terminal G s = false -> is_player o (to_move G s) = false -> every (good r) s = true ->
    (exists t, moves_by G o sigma s t) /\ forall t, moves_by G o sigma s t -> safe (2 * N.to_nat r) t.
  Proof.
    intros E M H. destruct (every_spec _ _ E H) as ((t & T) & A). split.
    - exists t. split; [exact T|]. intros X. apply is_player_spec in X. congruence.
    - intros u (U & _). exists r. auto.
  Qed.

  (** Every nonterminal safe state has a move. All moves, if the owner follows [sigma], lead to safe states, and to
      lower distances if ranks are needed. *)
  Lemma safe_step d s : safe d s -> is_terminal G s = false ->
    (exists t, moves_by G o sigma s t)
    /\ forall t, moves_by G o sigma s t -> exists d', safe d' t /\ (needs_ranks = true -> (d' < d)%nat).
  Proof.
    intros (r & [(-> & H)|(-> & H)]) E.
    - unfold good in H. rewrite E in H. destruct (rank_of s) as [q|] eqn:F; [|discriminate].
      assert (L : needs_ranks = true -> (S (2 * N.to_nat q) < 2 * N.to_nat r)%nat).
      { intros T. rewrite T in H. destruct (N.ltb_spec q r); [lia|discriminate]. }
      pose proof (entry_right _ _ F) as R. unfold right in R. rewrite E in R.
      destruct (is_player o (to_move G s)) eqn:M.
      + unfold some in R. destruct (find_move _ _ _) as [t|] eqn:T; [|discriminate].
        destruct (find_move_some _ _ _ E T) as (V & A).
        assert (C : sigma s = t) by (unfold sigma; now rewrite F, T). split.
        * exists t. split; auto.
        * intros u (_ & U). apply is_player_spec in M. rewrite (U M), C.
          destruct (safe_of _ _ A) as (d & D & B). exists d. split; [exact D|]. intros X. specialize (L X). lia.
      + destruct (every_by _ _ E M R) as (X & A). split; [exact X|]. intros t T.
        exists (2 * N.to_nat q)%nat. split; [auto|]. intros Y. specialize (L Y). lia.
    - unfold answered in H. rewrite E in H. destruct (is_player o (to_move G s)) eqn:M; [discriminate|].
      destruct (every_by _ _ E M H) as (X & A). split; [exact X|]. intros t T.
      exists (2 * N.to_nat r)%nat. split; [auto|]. lia.
  Qed.

  Lemma reached_safe d s t : safe d s -> reached G o sigma s t -> exists d', safe d' t.
  Proof.
    intros H R. induction R as [|t u R (d' & IH) M]; [eauto|].
    destruct (safe_step _ _ IH (proj1 (proj1 M))) as (_ & A). destruct (A u M) as (d'' & D & _). eauto.
  Qed.

  Lemma play_ends : needs_ranks = true -> forall d p, play G o sigma p -> forall n, safe d (p n) ->
    exists m, is_terminal G (p m) = true.
  Proof.
    intros T. induction d as [d IH] using (well_founded_induction lt_wf). intros p P n H.
    destruct (is_terminal G (p n)) eqn:E; [eauto|].
    pose proof (P n) as M. rewrite E in M. destruct (safe_step _ _ H E) as (_ & A).
    destruct (A _ M) as (d' & D & L). exact (IH d' (L T) p P (S n) D).
  Qed.
End Checker.

(** ** Soundness *)

Section Sound.
  Variables (G : game) (o : player) (goal : Z) (entries : list (Z * N)) (rank_of : Z -> option N) (start : Z).
  Hypothesis rank_of_sound : forall s r, rank_of s = Some r -> In (s, r) entries.
  Hypothesis accepted : accepts G o goal entries rank_of start = true.

  Lemma accepted_parts : forallb (right G o goal rank_of) entries = true
    /\ exists d, safe G o goal rank_of d start.
  Proof.
    unfold accepts in accepted. destruct (forallb _ entries); [|discriminate].
    split; [reflexivity|]. destruct (safe_of _ _ _ _ _ _ accepted) as (d & D & _). eauto.
  Qed.

  (** The owner has a strategy that is never stuck. If the owner follows it, every terminal state that play reaches has
      at least the goal, and play ends if endless play is worth less than the goal. *)
  Theorem accepts_strategy : exists sigma, never_stuck G o sigma start
    /\ forall p, play G o sigma p -> p 0%nat = start ->
       (forall n, is_terminal G (p n) = true -> goal <= worth o (utility G (p n)))
       /\ (worth o (endless G) < goal -> exists n, is_terminal G (p n) = true).
  Proof.
    destruct accepted_parts as (A & d & D). exists (sigma G o goal rank_of). split.
    - intros t R E. destruct (reached_safe _ _ _ _ _ rank_of_sound A _ _ _ D R) as (d' & D').
      exact (proj1 (safe_step _ _ _ _ _ rank_of_sound A _ _ D' E)).
    - intros p P <-. split.
      + intros n E. apply play_reaches with (n := n) in P.
        destruct (reached_safe _ _ _ _ _ rank_of_sound A _ _ _ D P) as (d' & D').
        exact (safe_ends_well _ _ _ _ _ rank_of_sound A _ _ D' E).
      + intros L. apply Z.ltb_lt in L. exact (play_ends _ _ _ _ _ rank_of_sound A L _ _ P _ D).
  Qed.

  Theorem accepts_sound : guarantees G o goal start.
  Proof.
    destruct accepts_strategy as (sg & N & W). exists sg. split; [exact N|].
    intros p u P Z [(n & E & ->)|(never & ->)]; destruct (W p P Z) as (W1 & W2); [auto|].
    destruct (Z.le_gt_cases goal (worth o (endless G))) as [L|L]; [exact L|].
    destruct (W2 L) as (n & E). rewrite never in E. discriminate.
  Qed.
End Sound.
