import { z } from 'zod'
import type { Complaint } from './messages.ts'

/** A text field of a call, judged by one of the validators: `phone: fitted(complainOfPhone, 40)`. */
export function fitted(complain: (value: string) => Complaint, charsMax: number) {
  return z
    .string()
    .trim()
    .max(charsMax)
    .superRefine((value, context) => {
      const complaint = complain(value)
      if (complaint) context.addIssue({ code: 'custom', message: complaint })
    })
}
