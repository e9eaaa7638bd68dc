/** Who signed in last in this browser: the cookie for files is theirs. */
export const filesOfKey = 'atrium.portal.files-of'

/** Tells the tabs of other members that their files do not open any more. */
export function announceSignIn(userId: string): void {
  try {
    localStorage.setItem(filesOfKey, userId)
  } catch {
    // Without storage, the server's answer says why a file does not open.
  }
}
