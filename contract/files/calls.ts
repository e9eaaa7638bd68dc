import { z } from 'zod'
import { beneficiaryLimits } from '../banking/beneficiary-limits.ts'
import { defineCall } from '../call.ts'
import { bytesPerKb, limits } from '../limits.ts'

const kycDocumentExtensions = ['png', 'jpg', 'jpeg', 'pdf', 'doc', 'docx', 'xls', 'xlsx', 'csv'] as const

/** Allowed uploads by purpose: extensions by content, and the size in bytes. */
export const uploadPurposes = {
  receipt: { extensions: ['png', 'jpg', 'jpeg', 'pdf'], sizeBytesMax: limits.receiptSizeKbMax * bytesPerKb },
  document: {
    extensions: kycDocumentExtensions,
    sizeBytesMax: limits.documentSizeKbMax * bytesPerKb,
  },
  /** Attachments of support messages. */
  ticket: { extensions: kycDocumentExtensions, sizeBytesMax: limits.ticketFileSizeKbMax * bytesPerKb },
  /** Answers in a form: KYC documents and drawn signatures. */
  form: { extensions: kycDocumentExtensions, sizeBytesMax: limits.formFileSizeKbMax * bytesPerKb },
  /** Videos recorded by phones and browsers. */
  video: { extensions: ['mp4', 'mov', 'webm'], sizeBytesMax: limits.videoSizeKbMax * bytesPerKb },
  picture: { extensions: ['png', 'jpg', 'jpeg'], sizeBytesMax: limits.pictureSizeKbMax * bytesPerKb },
  /** The QR code of a wallet address, which staff scan for a payout. */
  qr: { extensions: ['png', 'jpg', 'jpeg'], sizeBytesMax: beneficiaryLimits.qrSizeKbMax * bytesPerKb },
  /** Installers for members, uploaded by staff: members may not use this purpose. */
  download: {
    extensions: ['exe', 'msi', 'zip', 'apk', 'dmg', 'pkg', 'pdf'],
    sizeBytesMax: limits.downloadSizeKbMax * bytesPerKb,
  },
} as const

export type UploadPurpose = keyof typeof uploadPurposes
export const uploadPurposeNames = [
  'receipt',
  'document',
  'picture',
  'qr',
  'ticket',
  'form',
  'video',
] as const satisfies UploadPurpose[]

/** The virus scanner's result for a file; `none` without a scanner. */
export const scanState = z.enum(['none', 'clean', 'waiting', 'infected'])
export type Scan = z.output<typeof scanState>

/** True if the file must not be served, for now or permanently. */
export const isHeld = (scan: string): boolean => scan === 'waiting' || scan === 'infected'

export const media = z.object({
  _id: z.uuid(),
  type: z.enum(['image', 'file', 'video']),
  name: z.string(),
  title: z.string(),
  extension: z.string(),
  size_bytes: z.int(),
  url: z.string(),
  /** The thumbnail of an image. */
  small_url: z.string().nullable(),
  /** The file is stored, but not served before the virus scan. */
  is_waiting: z.boolean(),
})

/**
 * Multipart: one part named `file`. The purpose decides types and size (default: document, the widest); the use of a
 * file applies its own rules again.
 */
const uploadInput = z.object({ purpose: z.enum(uploadPurposeNames).default('document') })

export const uploadImage = defineCall({
  method: 'POST',
  path: '/media/cp-upload-image',
  access: 'member',
  input: uploadInput,
  answer: z.object({ status: z.literal('ok'), image: media }),
})

export const uploadFile = defineCall({
  method: 'POST',
  path: '/media/cp-upload-file',
  access: 'member',
  input: uploadInput,
  answer: z.object({ status: z.literal('ok'), file: media }),
})

export const uploadVideo = defineCall({
  method: 'POST',
  path: '/media/cp-upload-video',
  access: 'member',
  input: z.object({ purpose: z.literal('video').default('video') }),
  answer: z.object({ status: z.literal('ok'), video: media }),
})

/** Larger files are sent in parts (the tus protocol, below `/media/uploads`), so that an interrupted upload can resume. */
export const inPartsOverBytes = 1_000_000

/** Creates the file of a complete upload in parts; a repeat returns the same file. */
export const finishUpload = defineCall({
  method: 'POST',
  path: '/media/finish-upload',
  access: 'member',
  input: z.object({ upload: z.uuid() }),
  answer: z.object({ status: z.literal('ok'), file: media }),
})
