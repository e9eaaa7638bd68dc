import { validateRequired } from '@atrium/contract/validators/presence.ts'
import type { Errors } from '../../api/form-errors.ts'

/** The values of the complaint form. */
export type Complaint = { subject: string; description: string }
export const emptyComplaint: Complaint = { subject: '', description: '' }

/** The subject of a complaint and the page it was opened from; empty when opened from the frame. */
export type ComplaintAbout = {
  type: 'general' | 'profile'
  /** An account, a transaction or a download. */
  model?: { _id: string; label: string }
}
export const generalComplaint: ComplaintAbout = { type: 'profile' }

export function checkComplaint(complaint: Complaint): Errors<keyof Complaint> {
  const errors: Errors<keyof Complaint> = {}
  for (const field of ['subject', 'description'] as const) {
    const gap = validateRequired(complaint[field])
    if (gap) errors[field] = [gap]
  }
  return errors
}
