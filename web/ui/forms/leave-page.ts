/**
 * Navigation by the app itself, to a payment provider or a reload, which skips the question about unsaved edits: they
 * were sent or are obsolete. All such navigation goes through this module (`leave-page.test.ts`).
 */
let isLeaving = false

export const isLeavingOnPurpose = (): boolean => isLeaving

/** For a form that is posted in place of this page. */
export function leaveBy(go: () => void): void {
  isLeaving = true
  go()
}

export const leaveFor = (address: string): void => leaveBy(() => window.location.assign(address))

/** Replaces the history entry, so that Back does not return to this page. */
export const leaveForGood = (address: string): void => leaveBy(() => window.location.replace(address))

export const reloadPage = (): void => leaveBy(() => window.location.reload())

/** A reload that a person asks for: with unsaved edits, the browser asks first. */
export const reloadByChoice = (): void => window.location.reload()

/** The page did not unload and a form is edited on it: leaving requires confirmation again. */
export function stayOnPage(): void {
  isLeaving = false
}
