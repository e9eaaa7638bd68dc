import { type UploadPurpose, uploadPurposes } from '@atrium/contract/files.ts'
import { limits } from '@atrium/contract/limits.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PickedFile } from '../ui/drop-zone.tsx'
import { fileProblem } from '../ui/file-rules.ts'
import { BrokenUpload, type Media, sendFile } from './send-file.ts'

type Sending = {
  picked: PickedFile | null
  /** What the server made of the file, once it has it. */
  media: Media | null
  error: string | undefined
  /** The line was away for longer than was waited: `resume` goes on where it broke. */
  isBroken: boolean
}

const nothing: Sending = { picked: null, media: null, error: undefined, isBroken: false }

/**
 * A file that is sent as soon as it is picked, so that the form itself is quick: with progress, a way to stop it, one to go
 * on after the line broke, and a rest of 15 s (`isResting`) after which the next may be picked.
 */
export function useUpload(purpose: Exclude<UploadPurpose, 'download'>) {
  const { t } = useTranslation()
  const [sending, setSending] = useState<Sending>(nothing)
  const running = useRef<AbortController | null>(null)
  const brokenAt = useRef<string | null>(null)
  const { isResting, rest } = useRest()
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
    const show = (next: Partial<Sending>) => isMine() && setSending({ ...nothing, ...next })
    show({ picked: { file, share: 0, isSent: false } })
    try {
      const onProgress = (share: number) => show({ picked: { file, share, isSent: false } })
      const media = await sendFile(file, { purpose, signal: mine.signal, onProgress }, resumeAt)
      show({ picked: { file, share: 1, isSent: true }, media })
      if (isMine()) rest()
    } catch (error) {
      if (!(error instanceof BrokenUpload)) return show({ error: messageOf(error) })
      brokenAt.current = error.resumeAt
      show({ picked: { file, share: 0, isSent: false }, error: messageOf(error), isBroken: true })
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

  const isSending = sending.picked !== null && !sending.picked.isSent && !sending.isBroken
  return { ...sending, fileId: sending.media?._id ?? null, isSending, isResting, pick, remove, resume }
}

function useRest() {
  const [isResting, setResting] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const rest = () => {
    clearTimeout(timer.current)
    setResting(true)
    timer.current = setTimeout(() => setResting(false), limits.uploadDisabledMs)
  }
  return { isResting, rest }
}

function messageOf(error: unknown): string {
  if (error instanceof Error && 'fieldErrors' in error) {
    const first = Object.values(error.fieldErrors as Record<string, string[]>)[0]?.[0]
    return first ?? error.message
  }
  return String(error)
}
