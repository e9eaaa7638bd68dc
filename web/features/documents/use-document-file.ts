import { uploadPurposes } from '@atrium/contract/files.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PickedFile } from '../../ui/drop-zone.tsx'
import { fileProblem } from '../../ui/file-rules.ts'
import { notice } from '../../ui/notice.ts'
import { sendDocumentFile, sentencesOf } from './use-documents.ts'

type Sent = { picked: PickedFile | null; fileId: string | null; error: string | undefined }

const nothing: Sent = { picked: null, fileId: null, error: undefined }

/** The file is sent as soon as it is picked; taking it away stops it. What is wrong with it is a warning too. */
export function useDocumentFile() {
  const { t } = useTranslation()
  const [sent, setSent] = useState<Sent>(nothing)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const remove = () => {
    running.current?.abort()
    running.current = null
    setSent(nothing)
  }
  const refuse = (sentence: string) => {
    notice.warning(sentence)
    setSent({ ...nothing, error: sentence })
  }
  const pick = async (file: File) => {
    remove()
    const problem = fileProblem(file, uploadPurposes.document)
    if (problem) return refuse(t(problem.text, problem.values))
    const mine = new AbortController()
    running.current = mine
    const isMine = () => running.current === mine
    const show = (share: number) => setSent({ ...nothing, picked: { file, share, isSent: false } })
    show(0)
    try {
      const fileId = await sendDocumentFile(file, {
        signal: mine.signal,
        onProgress: (share) => isMine() && show(share),
      })
      if (isMine()) setSent({ picked: { file, share: 1, isSent: true }, fileId, error: undefined })
    } catch (error) {
      if (isMine())
        refuse(
          error instanceof Error
            ? sentencesOf(error)
                .map((line) => t(line))
                .join(' ')
            : String(error),
        )
    }
  }
  return { ...sent, isSending: sent.picked !== null && !sent.picked.isSent, pick, remove }
}
