import { isLeavingOnPurpose, stayOnPage } from './leave-page.ts'

/** Every form that holds edits stands here for as long as it does; whoever wants to leave or reload the page asks. */
type Holder = { mindsLeavingTo: (path: string) => boolean }

const holders = new Map<symbol, Holder>()

/** Returns what to do when the edits are saved, or gone with their form. */
export function holdEdits(id: symbol, holder: Holder): () => void {
  holders.set(id, holder)
  stayOnPage()
  return () => {
    holders.delete(id)
  }
}

/** The one that asks: of several forms on a page the first, so that nobody answers the same question twice. */
export function whoMindsLeavingTo(path: string): symbol | undefined {
  return [...holders].find(([, holder]) => holder.mindsLeavingTo(path))?.[0]
}

export function hasUnsavedEdits(): boolean {
  return holders.size > 0
}

/** The browser's own "Leave site?": for a person who closes or leaves the page, never for a way that the app itself leads. */
export const asksBeforeUnload = (): boolean => hasUnsavedEdits() && !isLeavingOnPurpose()
