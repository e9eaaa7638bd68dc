import { z } from 'zod'
import { beneficiaryLimits } from '../banking/beneficiary-limits.ts'
import { defineCall } from '../call.ts'
import { bytesPerKb, limits } from '../limits.ts'

const kycDocumentExtensions = ['png', 'jpg', 'jpeg', 'pdf', 'doc', 'docx', 'xls', 'xlsx', 'csv'] as const

/** What may be uploaded for which purpose: kinds by content, and the size in bytes. */
export const uploadPurposes = {
  receipt: { extensions: ['png', 'jpg', 'jpeg', 'pdf'], sizeBytesMax: limits.receiptSizeKbMax * bytesPerKb },
  document: {
    extensions: kycDocumentExtensions,
    sizeBytesMax: limits.documentSizeKbMax * bytesPerKb,
  },
  /** What a message to support carries. */
  ticket: { extensions: kycDocumentExtensions, sizeBytesMax: limits.ticketFileSizeKbMax * bytesPerKb },
  /** What an answer in a form is: a KYC document, or a signature that was drawn. */
  form: { extensions: kycDocumentExtensions, sizeBytesMax: limits.formFileSizeKbMax * bytesPerKb },
  /** What phones and browsers record. */
  video: { extensions: ['mp4', 'mov', 'webm'], sizeBytesMax: limits.videoSizeKbMax * bytesPerKb },
  picture: { extensions: ['png', 'jpg', 'jpeg'], sizeBytesMax: limits.pictureSizeKbMax * bytesPerKb },
  /** Of a wallet's address: scanned by whoever pays out. */
  qr: { extensions: ['png', 'jpg', 'jpeg'], sizeBytesMax: beneficiaryLimits.qrSizeKbMax * bytesPerKb },
  /** What members install, uploaded by staff: no member may name it. */
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

/** What the virus scanner said of a file; `none` where there is no scanner. */
export const scanState = z.enum(['none', 'clean', 'waiting', 'infected'])
export type Scan = z.output<typeof scanState>

/** Kept, and handed to nobody: yet, or ever. */
export const isHeld = (scan: string): boolean => scan === 'waiting' || scan === 'infected'

export const media = z.object({
  _id: z.uuid(),
  type: z.enum(['image', 'file', 'video']),
  name: z.string(),
  title: z.string(),
  extension: z.string(),
  size_bytes: z.int(),
  url: z.string(),
  /** Of a picture: a small one of it. */
  small_url: z.string().nullable(),
  /** Kept, and handed to nobody until the virus scanner has looked at it. */
  is_waiting: z.boolean(),
})

/**
 * Multipart: one part named `file`. The purpose decides types and size; without one the widest rule (document) holds. Whatever it
 * was uploaded for, a file is held to the rules of what it is used for when it is.
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

/** Files that are larger than this are sent in parts (the tus protocol, below `/media/uploads`), so that they go on where a line broke. */
export const partedOverBytes = 1_000_000

/** Makes a file of an upload whose parts have all arrived; asked again, it answers the same file. */
export const finishUpload = defineCall({
  method: 'POST',
  path: '/media/finish-upload',
  access: 'member',
  input: z.object({ upload: z.uuid() }),
  answer: z.object({ status: z.literal('ok'), file: media }),
})
