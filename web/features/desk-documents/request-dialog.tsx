import type { MemberPapers } from '@atrium/contract/desk-documents.ts'
import { documentTexts } from '@atrium/contract/document-texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { Button, Group, Modal } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notice } from '../../ui/notice.ts'
import { Select } from '../../ui/select.tsx'
import { Callout } from '../../ui/state.tsx'
import { Textarea } from '../../ui/text-area.tsx'
import parts from './documents.module.css'
import { usePapersChange } from './use-documents.ts'

/** Another paper of this one member, beside what everybody is asked for. */
export function RequestDialog({ papers, onClose }: { papers: MemberPapers; onClose: () => void }) {
  const { t } = useTranslation()
  const [category, setCategory] = useState<string | null>(null)
  const [valid, setValid] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const [isTried, setTried] = useState(false)
  const change = usePapersChange(papers.member._id)
  const offered = papers.categories
    .find(({ _id }) => _id === category)
    ?.valid_documents.filter((each) => !each.archived)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!category || change.isPending) return
    const input = { category, note, ...(valid && { valid_document: valid }) }
    change.mutate(
      { do: 'request', input },
      {
        onSuccess: () => {
          notice.done(t('The member has been asked.'))
          onClose()
        },
      },
    )
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Ask {{name}} for another document', { name: papers.member.name })}
      size={480}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form className={parts.form} onSubmit={submit} noValidate>
        <Select
          label={t('Category')}
          required
          data={papers.categories.map(({ _id, name }) => ({ value: _id, label: name }))}
          value={category}
          error={isTried && !category && t(documentTexts.categoryUnknown)}
          onChange={(next) => {
            setCategory(next)
            setValid(null)
          }}
        />
        {offered && offered.length > 0 && (
          <Select
            label={t('Document (optional)')}
            clearable
            data={offered.map(({ _id, name }) => ({ value: _id, label: name }))}
            value={valid}
            onChange={setValid}
          />
        )}
        <Textarea
          label={t('What exactly is needed? The member reads it.')}
          size="sm"
          autosize
          minRows={2}
          maxRows={6}
          charsMax={limits.commentCharsMax}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        {change.error && <Callout meaning="red">{t(change.error.message)}</Callout>}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={change.isPending} onClick={onClose}>
            {t('Not now')}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {t('Ask the member')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
