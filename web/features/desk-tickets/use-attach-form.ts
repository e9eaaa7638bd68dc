import { uploadPurposes } from '@atrium/contract/files/calls.ts'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { fileProblem } from '../../ui/files/file-rules.ts'
import type { PickedFile } from '../../ui/files/picked-file.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { useAttaching } from './use-desk-tickets.ts'

/**
 * True when the same file can be sent again: the server refused it for now. A file that is wrong itself is not kept, nor one that
 * the member may have received.
 */
const isKept = (error: Error): boolean =>
  error instanceof ApiError &&
  !error.isOutcomeUnknown &&
  (error.code === 'too_many_requests' || error.fieldErrors.file === undefined)

/** A file for the member, and its upload. */
export function useAttachForm(ticketId: string, onClose: () => void) {
  const { t } = useTranslation()
  const [picked, setPicked] = useState<PickedFile | null>(null)
  const [problem, setProblem] = useState<string | undefined>()
  const running = useRef<AbortController | null>(null)
  const attaching = useAttaching(ticketId, (share) => setPicked((before) => before && { ...before, share }))
  const form = useCallForm({
    start: {},
    labels: { file: 'File' },
    isEdited: () => picked !== null,
    isWaiting: picked === null,
    send: async () => {
      if (!picked) return null
      running.current = new AbortController()
      const { signal } = running.current
      return attaching.mutateAsync({ file: picked.file, signal }).catch((error: unknown) => {
        // A cancelled upload needs no message.
        if (signal.aborted) return null
        throw error
      })
    },
    onDone: (sent) => sent && close(),
    onRefused: (error) => setPicked((before) => (before && isKept(error) ? { ...before, share: 0 } : null)),
    afterDone: 'anew',
  })
  const discard = () => {
    running.current?.abort()
    setPicked(null)
    setProblem(undefined)
    form.undo()
  }
  const close = () => {
    discard()
    onClose()
  }
  const pick = (file: File) => {
    const found = fileProblem(file, uploadPurposes.ticket)
    form.undo()
    setProblem(found ? t(found.text, found.values) : undefined)
    setPicked(found ? null : { file, share: 0, isSent: false })
  }
  return { form, picked, error: problem ?? form.errorOf('file'), pick, discard, close }
}
