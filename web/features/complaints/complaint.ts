import { limits } from '@atrium/contract/limits.ts'
import { complainOfGap } from '@atrium/contract/validators/presence.ts'

/** A complaint as the form has it. Its type says that it was filed from a person's own place and not from an account's. */
export type Complaint = { subject: string; description: string }
export const emptyComplaint: Complaint = { subject: '', description: '' }

export type ComplaintErrors = Partial<Record<keyof Complaint, string>>

export function checkComplaint(complaint: Complaint): ComplaintErrors {
  const errors: ComplaintErrors = {}
  for (const field of ['subject', 'description'] as const) {
    const gap = complainOfGap(complaint[field])
    if (gap) errors[field] = gap
  }
  return errors
}

/**
 * Until complaints are filed from here they go by mail: the member's own mail program opens with the text in it. Line ends
 * travel as RFC 6068 wants them, and nothing that was typed becomes a header.
 */
export function mailOf({ subject, description }: Complaint, to: string): string {
  const text = (value: string, charsMax: number) =>
    encodeURIComponent(value.trim().toWellFormed().slice(0, charsMax).replace(/\r?\n/g, '\r\n'))
  const about = subject.replace(/\p{Cc}/gu, ' ')
  return `mailto:${encodeURIComponent(to).replace('%40', '@')}?subject=${text(about, limits.complaintSubjectCharsMax)}&body=${text(description, limits.complaintDescriptionCharsMax)}`
}
