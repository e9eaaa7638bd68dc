/** What becomes of a member's rows when the member is erased. */
export type Ending =
  /** They go. `inPiecesBy` is the key of those of which one member may have a million. */
  | { do: 'remove'; inPiecesBy?: readonly string[] }
  /** They stay, and nothing in them says who it was. */
  | { do: 'keep'; why: string }
  /** They stay with these columns overwritten: nothing, or a word in place of a name. */
  | { do: 'blank'; columns: Record<string, string | null>; why: string }
  /** They are seen to elsewhere. */
  | { do: 'apart'; where: string }
