import { ticketTexts } from '@atrium/contract/ticket-texts.ts'
import { Button, Group, Modal } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DropZone, type PickedFile } from '../../ui/drop-zone.tsx'
import { fileProblem } from '../../ui/file-rules.ts'
import { notice } from '../../ui/notice.ts'
import parts from './ticket-parts.module.css'
import { attachmentRules, sendAttachment, useReply } from './use-tickets.ts'

type DialogProps = { ticketId: string; isOpen: boolean; onClose: () => void }

/** A file for the conversation: chosen, sent with its progress, and only then attached. */
export function AttachmentDialog({ ticketId, isOpen, onClose }: DialogProps) {
  const { t } = useTranslation()
  const reply = useReply(ticketId)
  const [picked, setPicked] = useState<PickedFile | null>(null)
  const [problem, setProblem] = useState<string | undefined>()
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const clear = () => {
    running.current?.abort()
    running.current = null
    setPicked(null)
    setProblem(undefined)
  }
  const close = () => {
    clear()
    onClose()
  }
  const pick = (file: File) => {
    const wrong = fileProblem(file, attachmentRules)
    setProblem(wrong ? t(wrong.text, wrong.values) : undefined)
    setPicked(wrong ? null : { file, share: 0, isSent: false })
  }
  const save = async () => {
    if (!picked) return
    const { file } = picked
    const mine = new AbortController()
    running.current = mine
    try {
      const attachment = await sendAttachment(file, {
        signal: mine.signal,
        onProgress: (share) => running.current === mine && setPicked({ file, share, isSent: false }),
      })
      await reply.mutateAsync({ type: 'attachment', attachment })
      notice.done(t(ticketTexts.attachmentAdded))
      close()
    } catch (error) {
      if (running.current !== mine) return
      setPicked(null)
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  const isSending = picked !== null && running.current !== null
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={t('Add Attachment')}
      size={520}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <div className={parts.reply}>
        <DropZone
          label={t('File')}
          rules={attachmentRules}
          picked={picked}
          error={problem}
          isSentLater={!isSending}
          onPick={pick}
          onRemove={clear}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button disabled={picked === null} loading={isSending} onClick={save}>
            {t('Save')}
          </Button>
        </Group>
      </div>
    </Modal>
  )
}
