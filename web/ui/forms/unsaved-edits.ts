import { isLeavingOnPurpose, stayOnPage } from './leave-page.ts'

/** Registry of the forms with unsaved edits, checked before the page is left or reloaded. */
type Holder = { blocksLeavingTo: (path: string) => boolean }

const holders = new Map<symbol, Holder>()

/** Returns the function that releases the edits, once they are saved or their form is unmounted. */
export function holdEdits(id: symbol, holder: Holder): () => void {
  holders.set(id, holder)
  stayOnPage()
  return () => {
    holders.delete(id)
  }
}

/** The form that asks for confirmation: the first of several, so that the question appears only once. */
export function findFormBlockingLeave(path: string): symbol | undefined {
  return [...holders].find(([, holder]) => holder.blocksLeavingTo(path))?.[0]
}

export function hasUnsavedEdits(): boolean {
  return holders.size > 0
}

/** The browser's own "Leave site?": when a person closes or leaves the page, never for navigation by the app. */
export const asksBeforeUnload = (): boolean => hasUnsavedEdits() && !isLeavingOnPurpose()
