/** Asks whoever sits there to prove it; true when they did. One dialog, offered by the frame of each app. */
type Ask = () => Promise<boolean>

let ask: Ask | null = null

/** Answers how to take the offer back. */
export function offerProof(next: Ask): () => void {
  ask = next
  return () => {
    if (ask === next) ask = null
  }
}

/**
 * `call` opens it by itself when an answer says `proof_required`, and sends the call again: a feature need not know. To be
 * used directly where the proof is better asked before a form is filled in than after.
 */
export async function openProof(): Promise<boolean> {
  return ask ? ask() : false
}
