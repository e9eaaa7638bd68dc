import type { MemberPapers } from '@atrium/contract/desk-documents.ts'
import { deskTexts } from '@atrium/contract/desk-texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { Button, Group, Modal } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Callout } from '../../ui/state.tsx'
import { Textarea } from '../../ui/text-area.tsx'
import parts from './documents.module.css'
import { usePapersChange } from './use-documents.ts'

/** Staff answer for papers that are not here, or ask for them here after all. */
export function ElsewhereDialog({ papers, onClose }: { papers: MemberPapers; onClose: () => void }) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const [isTried, setTried] = useState(false)
  const change = usePapersChange(papers.member._id)
  const elsewhere = !papers.papers_elsewhere
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (reason.trim() !== '' && !change.isPending)
      change.mutate({ do: 'elsewhere', elsewhere, reason }, { onSuccess: onClose })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={
        elsewhere
          ? t('Was {{name}} verified outside the portal?', { name: papers.member.name })
          : t('Require documents from {{name}} here?', { name: papers.member.name })
      }
      size={480}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form className={parts.form} onSubmit={submit} noValidate>
        <p>
          {elsewhere
            ? t('Every required document then counts as approved, without one being here.')
            : t('Required documents then have to be uploaded and verified here.')}
        </p>
        <Textarea
          label={t('Why')}
          required
          data-autofocus
          size="sm"
          autosize
          minRows={2}
          maxRows={6}
          charsMax={limits.commentCharsMax}
          value={reason}
          error={isTried && reason.trim() === '' && t(deskTexts.reasonMissing)}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {change.error && <Callout meaning="red">{t(change.error.message)}</Callout>}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={change.isPending} onClick={onClose}>
            {t('Not now')}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {t('Confirm')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
