/**
 * The app itself leads away from this page: to a payment provider, or to the same page loaded anew. Nobody is asked about
 * unsaved edits then, which were sent or are of no use any more. Every such way goes through here (`leave-page.test.ts`).
 */
let isLeaving = false

export const isLeavingOnPurpose = (): boolean => isLeaving

/** For a form that is posted in place of this page. */
export function leaveBy(go: () => void): void {
  isLeaving = true
  go()
}

export const leaveFor = (address: string): void => leaveBy(() => window.location.assign(address))

/** Without a way back to this page. */
export const leaveForGood = (address: string): void => leaveBy(() => window.location.replace(address))

export const reloadPage = (): void => leaveBy(() => window.location.reload())

/** The page did not go after all, and somebody begins to fill in a form on it: from here on leaving is asked about again. */
export function stayOnPage(): void {
  isLeaving = false
}
