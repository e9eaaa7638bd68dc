/** Asks the user to confirm their identity; true when they did. Each app's frame offers one dialog. */
type Ask = () => Promise<boolean>

let ask: Ask | null = null

/** Returns a function that withdraws the offer. */
export function offerProof(next: Ask): () => void {
  ask = next
  return () => {
    if (ask === next) ask = null
  }
}

/**
 * `call` opens it when an answer says `proof_required` and repeats the call, so features need no code for it. Use it
 * directly to ask for the proof before a form is filled in.
 */
export async function openProof(): Promise<boolean> {
  return ask ? ask() : false
}
