const key = 'atrium.framed-payment'

export type FramedForm = { order: string; action: string; fields: { name: string; value: string }[] }

/** For this tab alone, so that loading the page again shows the payment again. Signed fields, and no secret among them. */
export function keepFramedForm({ order, action, fields }: FramedForm): boolean {
  try {
    sessionStorage.setItem(key, JSON.stringify({ order, action, fields }))
    return true
  } catch {
    // A tab that keeps nothing: the form goes to the provider's page in place of ours.
    return false
  }
}

export function keptFramedForm(): FramedForm | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? 'null') as FramedForm | null
    return kept && Array.isArray(kept.fields) ? kept : null
  } catch {
    return null
  }
}
