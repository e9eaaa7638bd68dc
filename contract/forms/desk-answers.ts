import { z } from 'zod'
import { heldFile } from '../files/held-file.ts'
import { answered } from './calls.ts'

/** As the member reads them, and what staff may do with a file that nobody can open. Apart from the calls for forms, which are large. */
export const deskAnswered = answered.extend({ files: z.array(answered.shape.files.element.extend(heldFile)) })
export type DeskAnswered = z.output<typeof deskAnswered>
