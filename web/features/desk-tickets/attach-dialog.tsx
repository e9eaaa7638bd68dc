import { uploadPurposes } from '@atrium/contract/files/calls.ts'
import type { DeskTicket } from '@atrium/contract/tickets/desk-calls.ts'
import { Button, Group, Modal } from '@mantine/core'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { DropZone } from '../../ui/files/drop-zone.tsx'
import { fileProblem } from '../../ui/files/file-rules.ts'
import type { PickedFile } from '../../ui/files/picked-file.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './ticket-desk.module.css'
import { useAttaching } from './use-desk-tickets.ts'

type DialogProps = { ticket: DeskTicket; isOpen: boolean; onClose: () => void }

/** Sends a file to the member; shows it first, because sending cannot be undone. */
export function AttachDialog({ ticket, isOpen, onClose }: DialogProps) {
  const { t } = useTranslation()
  const [picked, setPicked] = useState<PickedFile | null>(null)
  const [problem, setProblem] = useState<string | undefined>()
  const running = useRef<AbortController | null>(null)
  const attaching = useAttaching(ticket._id, (share) => setPicked((before) => before && { ...before, share }))
  const letGo = () => {
    running.current?.abort()
    setPicked(null)
    setProblem(undefined)
  }
  const close = () => {
    letGo()
    onClose()
  }
  const pick = (file: File) => {
    const found = fileProblem(file, uploadPurposes.ticket)
    setProblem(found ? t(found.text, found.values) : undefined)
    setPicked(found ? null : { file, share: 0, isSent: false })
  }
  const send = () => {
    if (!picked) return
    running.current = new AbortController()
    attaching.mutate(
      { file: picked.file, signal: running.current.signal },
      {
        onSuccess: close,
        onError: (error) => {
          // A cancelled upload needs no message.
          if (error instanceof ApiError && error.code === 'aborted') return
          setPicked(null)
          setProblem(error instanceof ApiError ? (error.fieldErrors.file?.[0] ?? error.message) : error.message)
        },
      },
    )
  }
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      size={520}
      title={t('Attach a file')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <div className={parts.form}>
        <DropZone
          label={t('File')}
          rules={uploadPurposes.ticket}
          picked={picked}
          error={problem}
          isSentLater
          onPick={pick}
          onRemove={letGo}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" size="xs" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button size="xs" maw="100%" disabled={!picked} loading={attaching.isPending} onClick={send}>
            {t('Send to {{name}}', { name: ticket.member.name })}
          </Button>
        </Group>
      </div>
    </Modal>
  )
}
