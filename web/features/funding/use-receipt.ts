import { uploadPurposes } from '@atrium/contract/files.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PickedFile } from '../../ui/drop-zone.tsx'
import { fileProblem } from '../../ui/file-rules.ts'
import { sendReceipt } from './use-funding.ts'

type Receipt = { picked: PickedFile | null; fileId: string | null; error: string | undefined }

const nothing: Receipt = { picked: null, fileId: null, error: undefined }

/** The receipt is sent as soon as it is picked, so that the form itself is quick; taking it away stops it. */
export function useReceipt() {
  const { t } = useTranslation()
  const [receipt, setReceipt] = useState<Receipt>(nothing)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const remove = () => {
    running.current?.abort()
    running.current = null
    setReceipt(nothing)
  }

  const pick = async (file: File) => {
    remove()
    const problem = fileProblem(file, uploadPurposes.receipt)
    if (problem) return setReceipt({ ...nothing, error: t(problem.text, problem.values) })
    const mine = new AbortController()
    running.current = mine
    const isMine = () => running.current === mine
    setReceipt({ ...nothing, picked: { file, share: 0, isSent: false } })
    try {
      const fileId = await sendReceipt(file, {
        signal: mine.signal,
        onProgress: (share) => isMine() && setReceipt({ ...nothing, picked: { file, share, isSent: false } }),
      })
      if (isMine()) setReceipt({ picked: { file, share: 1, isSent: true }, fileId, error: undefined })
    } catch (error) {
      if (isMine()) setReceipt({ ...nothing, error: messageOf(error) })
    }
  }

  return { ...receipt, isSending: receipt.picked !== null && !receipt.picked.isSent, pick, remove }
}

function messageOf(error: unknown): string {
  if (error instanceof Error && 'fieldErrors' in error) {
    const first = Object.values(error.fieldErrors as Record<string, string[]>)[0]?.[0]
    return first ?? error.message
  }
  return String(error)
}
