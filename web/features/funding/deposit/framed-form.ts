const key = 'atrium.framed-payment'

export type FramedForm = { order: string; action: string; fields: { name: string; value: string }[] }

/** In session storage, so that a reload shows the payment again. The fields are signed and hold no secret. */
export function storeFramedForm({ order, action, fields }: FramedForm): boolean {
  try {
    sessionStorage.setItem(key, JSON.stringify({ order, action, fields }))
    return true
  } catch {
    // Without session storage the form is posted in place of this page.
    return false
  }
}

export function readFramedForm(): FramedForm | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(key) ?? 'null') as FramedForm | null
    return stored && Array.isArray(stored.fields) ? stored : null
  } catch {
    return null
  }
}

type Answered = { isKnown: boolean; isFinal: boolean; isUnknown: boolean }

/**
 * What the page of a kept form does. The tab may have another member since: nothing is posted until the server has shown the order
 * to the one who is signed in.
 */
export function frameStep(
  form: FramedForm | null,
  { isKnown, isFinal, isUnknown }: Answered,
): 'leave' | 'wait' | 'show' {
  if (form === null || isFinal || isUnknown) return 'leave'
  return isKnown ? 'show' : 'wait'
}
