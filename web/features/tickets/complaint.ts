import { complainOfGap } from '@atrium/contract/validators/presence.ts'

/** A complaint as the form has it. */
export type Complaint = { subject: string; description: string }
export const emptyComplaint: Complaint = { subject: '', description: '' }

/** What a complaint is filed about, and from where; nothing in particular from the frame around every page. */
export type ComplaintAbout = {
  type: 'general' | 'profile'
  /** An account, a transaction of money or a download. */
  model?: { _id: string; label: string }
}
export const aboutNothing: ComplaintAbout = { type: 'profile' }

export type ComplaintErrors = Partial<Record<keyof Complaint, string>>

export function checkComplaint(complaint: Complaint): ComplaintErrors {
  const errors: ComplaintErrors = {}
  for (const field of ['subject', 'description'] as const) {
    const gap = complainOfGap(complaint[field])
    if (gap) errors[field] = gap
  }
  return errors
}
