import { releaseFile } from '@atrium/contract/documents/release-calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/transport.ts'
import { Textarea } from '../ui/fields/text-area.tsx'
import { CallDialog } from '../ui/forms/dialog-form.tsx'
import { useTranslation } from '../ui/text/use-translation.ts'
import { useCallForm } from './use-call-form.ts'

type ReleaseFileDialogProps = { file: { _id: string; name: string }; onClose: () => void }

export function ReleaseFileDialog({ file, onClose }: ReleaseFileDialogProps) {
  const queries = useQueryClient()
  const release = useMutation({
    mutationFn: (reason: string) => call(releaseFile, { id: file._id, reason }),
    onSettled: () => queries.invalidateQueries(),
  })
  return <ReleaseDialog name={file.name} send={release.mutateAsync} onClose={onClose} />
}

type ReleaseDialogProps = { name: string; send: (reason: string) => Promise<unknown>; onClose: () => void }

export function ReleaseDialog({ name, send, onClose }: ReleaseDialogProps) {
  const { t } = useTranslation()
  const form = useCallForm({
    start: { reason: '' },
    labels: { reason: 'Reason' },
    check: ({ reason }) => (reason.trim() === '' ? { reason: [deskTexts.reasonMissing] } : {}),
    send: ({ reason }) => send(reason),
    onDone: onClose,
  })
  return (
    <CallDialog
      form={form}
      title={t('Release {{name}} without a virus check?', { name })}
      size={480}
      submit={t('Release file')}
      cancel={t('Not now')}
      isDangerous
      onClose={onClose}
    >
      <p>{t('Staff and the member can then open it. The reason is kept in the history.')}</p>
      <Textarea
        label={t('Reason')}
        required
        data-autofocus
        size="sm"
        autosize
        minRows={2}
        maxRows={6}
        charsMax={limits.commentCharsMax}
        value={form.values.reason}
        error={form.errorOf('reason')}
        onChange={(event) => form.change({ reason: event.currentTarget.value })}
      />
    </CallDialog>
  )
}
