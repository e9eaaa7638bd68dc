import { type UploadPurpose, uploadPurposes } from '@atrium/contract/files/calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import { useEffect, useRef, useState } from 'react'
import { toApiError } from '../api/api-error.ts'
import { BrokenUpload, type Media, sendFile } from '../api/send-file.ts'
import { fileProblem } from '../ui/files/file-rules.ts'
import type { PickedFile } from '../ui/files/picked-file.tsx'
import { useTranslation } from '../ui/text/use-translation.ts'

type Sending = {
  picked: PickedFile | null
  /** The server's record of the uploaded file. */
  media: Media | null
  error: string | undefined
  /** The connection was lost for longer than the retries; `resume` continues where it broke. */
  isBroken: boolean
}

const nothing: Sending = { picked: null, media: null, error: undefined, isBroken: false }

/**
 * Uploads a file as soon as it is picked, with progress, cancelling and resuming (automatic once the browser is online
 * again), then calls `onSent` and disables the field for 15 s (`isPaused`).
 */
export function useUpload(purpose: Exclude<UploadPurpose, 'download'>, onSent?: (media: Media) => void) {
  const { t } = useTranslation()
  const [sending, setSending] = useState<Sending>(nothing)
  const running = useRef<AbortController | null>(null)
  const brokenAt = useRef<string | null>(null)
  const { isPaused, pause } = useUploadPause()
  useEffect(() => () => running.current?.abort(), [])

  const remove = () => {
    running.current?.abort()
    running.current = null
    brokenAt.current = null
    setSending(nothing)
  }

  const send = async (file: File, resumeAt?: string) => {
    const mine = new AbortController()
    running.current = mine
    const isMine = () => running.current === mine
    let share = 0
    const show = (next: Partial<Sending>) => isMine() && setSending({ ...nothing, ...next })
    const onProgress = (arrived: number) => {
      share = arrived
      show({ picked: { file, share, isSent: false } })
    }
    onProgress(0)
    try {
      const media = await sendFile(file, { purpose, signal: mine.signal, onProgress }, resumeAt)
      show({ picked: { file, share: 1, isSent: true, isWaiting: media.is_waiting }, media })
      if (!isMine()) return
      pause()
      onSent?.(media)
    } catch (error) {
      if (!(error instanceof BrokenUpload)) return show({ error: messageOf(error) })
      if (isMine()) brokenAt.current = error.resumeAt
      show({ picked: { file, share, isSent: false }, error: messageOf(error), isBroken: true })
    }
  }

  const pick = async (file: File) => {
    remove()
    const problem = fileProblem(file, uploadPurposes[purpose])
    if (problem) return setSending({ ...nothing, error: t(problem.text, problem.values) })
    await send(file)
  }

  const resume = async () => {
    if (sending.picked) await send(sending.picked.file, brokenAt.current ?? undefined)
  }
  useBackOnline(resume, sending.isBroken)

  const isSending = sending.picked !== null && !sending.picked.isSent && !sending.isBroken
  return { ...sending, fileId: sending.media?._id ?? null, isSending, isPaused, pick, remove, resume }
}

/** Resumes without user action when the browser is online again. */
function useBackOnline(onBack: () => void, isOn: boolean) {
  const latest = useRef(onBack)
  latest.current = onBack
  useEffect(() => {
    if (!isOn) return
    const goOn = () => latest.current()
    window.addEventListener('online', goOn)
    return () => window.removeEventListener('online', goOn)
  }, [isOn])
}

/** The pause of the file picker after each upload. */
export function useUploadPause() {
  const [isPaused, setPaused] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const pause = () => {
    clearTimeout(timer.current)
    setPaused(true)
    timer.current = setTimeout(() => setPaused(false), limits.uploadDisabledMs)
  }
  return { isPaused, pause }
}

function messageOf(error: unknown): string {
  const { fieldErrors, message } = toApiError(error)
  return Object.values(fieldErrors)[0]?.[0] ?? message
}
