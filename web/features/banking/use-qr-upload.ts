import { beneficiaryTexts } from '@atrium/contract/banking/texts.ts'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { BrokenUpload, sendFile } from '../../api/send-file.ts'
import { refuseOffline } from '../../api/transport.ts'
import { useUploadPause } from '../../forms/use-upload.ts'

type Delivery = { file: File; id: string | null; resumeAt: string | null }

/**
 * Uploads the picked picture before the form that references it. The picture is uploaded once, however often the form is
 * sent, and a retry after a lost connection resumes the upload.
 */
export function useQrUpload() {
  const delivery = useRef<Delivery | null>(null)
  const running = useRef<AbortController | null>(null)
  const [share, setShare] = useState(0)
  const [isSent, setSent] = useState(false)
  const { isPaused, pause } = useUploadPause()
  const stop = () => {
    running.current?.abort()
    delivery.current = null
    setShare(0)
    setSent(false)
  }
  useEffect(() => () => running.current?.abort(), [])

  const send = async (file: File): Promise<string> => {
    await refuseOffline()
    const mine = delivery.current?.file === file ? delivery.current : { file, id: null, resumeAt: null }
    delivery.current = mine
    if (mine.id !== null) return mine.id
    const attempt = new AbortController()
    running.current = attempt
    // The upload must not wait for the network, because its end sends the form.
    const giveUp = () => attempt.abort()
    window.addEventListener('offline', giveUp)
    try {
      const media = await sendFile(
        file,
        { purpose: 'qr', signal: attempt.signal, onProgress: setShare },
        mine.resumeAt ?? undefined,
      )
      mine.id = media._id
      setSent(true)
      pause()
      return media._id
    } catch (problem) {
      if (problem instanceof BrokenUpload) mine.resumeAt = problem.resumeAt
      setShare(0)
      throw new ApiError({ code: 'unavailable', isAnswered: true, message: beneficiaryTexts.qrFailed })
    } finally {
      window.removeEventListener('offline', giveUp)
    }
  }
  return { share, isSent, isPaused, send, stop }
}
