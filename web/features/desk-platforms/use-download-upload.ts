import { uploadPlatformFile } from '@atrium/contract/platforms/desk-calls.ts'
import { useEffect, useRef, useState } from 'react'
import { toApiError } from '../../api/api-error.ts'
import { upload } from '../../api/upload.ts'
import type { PickedFile } from '../../ui/files/picked-file.tsx'
import type { DownloadFile } from './use-downloads-form.ts'

type Receiver = {
  onFile: (file: DownloadFile) => void
  /** For the form, which waits for the file. */
  onSending: (isSending: boolean) => void
}

/** Uploads the file of one download as soon as it is picked, with progress. It ends with its row. */
export function useDownloadUpload({ onFile, onSending }: Receiver) {
  const [picked, setPicked] = useState<PickedFile | null>(null)
  const [error, setError] = useState<string | null>(null)
  const running = useRef<AbortController | null>(null)
  const receiver = useRef({ onFile, onSending })
  receiver.current = { onFile, onSending }
  const isSending = picked !== null
  useEffect(() => {
    if (!isSending) return
    receiver.current.onSending(true)
    return () => receiver.current.onSending(false)
  }, [isSending])
  useEffect(() => () => running.current?.abort(), [])

  const pick = async (file: File) => {
    const mine = new AbortController()
    running.current = mine
    setError(null)
    setPicked({ file, share: 0, isSent: false })
    const onProgress = (share: number) => setPicked((before) => before && { ...before, share })
    try {
      const sent = await upload(uploadPlatformFile, file, { purpose: 'download', signal: mine.signal, onProgress })
      if (!mine.signal.aborted) receiver.current.onFile(sent.file)
    } catch (problem) {
      if (!mine.signal.aborted) setError(toApiError(problem).message)
    }
    if (running.current === mine) setPicked(null)
  }
  const stop = () => {
    running.current?.abort()
    running.current = null
    setPicked(null)
  }
  return { picked, error, pick, stop }
}
