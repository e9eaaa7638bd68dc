import type { DeskTerms } from '@atrium/contract/terms/desk-calls.ts'
import { Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { notice } from '../../ui/feedback/notice.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { useWrongFields } from '../../ui/forms/use-wrong-fields.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './desk-terms.module.css'
import { PublishDialog } from './publish-dialog.tsx'
import { fieldLabels, TermsFields } from './terms-fields.tsx'
import { TermsPreview } from './terms-preview.tsx'
import { termsOneQuery } from './use-terms.ts'
import { type TermsForm, useTermsForm } from './use-terms-form.ts'

type TermsEditorProps = {
  /** Null until the first save. */
  terms: DeskTerms | null
  onCreated?: (id: string) => void
}

/** The editor on the left, a preview on the right. */
export function TermsEditor({ terms, onCreated }: TermsEditorProps) {
  const { t } = useTranslation()
  const form = useTermsForm(terms)
  const [publishing, setPublishing] = useState<DeskTerms | null>(null)
  const wrong = useWrongFields()
  useUnsavedGuard({ isDirty: form.isDirty })
  const missing = missingFields(form)
  const save = async (): Promise<DeskTerms | null> => {
    const saved = await form.save()
    if (!saved) wrong.announce(missing.map((field) => t(fieldLabels[field])))
    else if (!terms) onCreated?.(saved._id)
    return saved
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (form.isSaving || !form.isDirty) return
    if (await save()) notice.done(t('Draft saved. Members see nothing of it before it is published.'))
  }
  const publish = async () => {
    const fresh = form.isDirty ? await save() : terms
    if (fresh) setPublishing(fresh)
  }
  const isNew = form.isDirty || !terms || terms.state !== 'published' || terms.is_changed
  return (
    <div className={parts.editor}>
      <form ref={wrong.form} className={parts.form} onSubmit={submit} noValidate aria-label={t('Text of the terms')}>
        <Trouble form={form} terms={terms} />
        <TermsFields {...form} />
        <div className={parts.buttons}>
          {terms && (
            <Button onClick={publish} disabled={!isNew} loading={form.isSaving}>
              {t('Publish')}
            </Button>
          )}
          <Button type="submit" variant={terms ? 'default' : 'filled'} disabled={!form.isDirty} loading={form.isSaving}>
            {t('Save draft')}
          </Button>
          <Button variant="subtle" disabled={!form.isDirty || form.isSaving} onClick={form.undo}>
            {t('Undo')}
          </Button>
          <span className={parts.quiet}>
            {form.isDirty
              ? t('Not saved yet.')
              : isNew
                ? terms && t('Saved as a draft.')
                : t('Members see exactly this text: there is nothing new to publish.')}
          </span>
        </div>
      </form>
      <div className={parts.beside}>
        <TermsPreview text={form.text} title={t('Preview')} />
      </div>
      {publishing && <PublishDialog terms={publishing} onClose={() => setPublishing(null)} />}
    </div>
  )
}

type Field = keyof typeof fieldLabels

const missingFields = ({ text }: TermsForm): Field[] =>
  (Object.keys(fieldLabels) as Field[]).filter((field) => text[field].length === 0)

/** After a colleague's save, staff choose which text to keep. */
function Trouble({ form, terms }: { form: TermsForm; terms: DeskTerms | null }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  if (!form.error || Object.keys(form.fieldErrors).length > 0) return null
  if (!form.isConflict || !terms) return <Callout meaning="red">{t(form.error.message)}</Callout>
  const goOn = async (whose: 'mine' | 'theirs') =>
    form.goOnFrom(await queries.fetchQuery({ ...termsOneQuery(terms._id), staleTime: 0 }), whose)
  return (
    <Callout meaning="amber">
      {t('Somebody else has changed these terms since you opened them.')}
      <Group gap="sm" mt="sm">
        <Button size="xs" variant="default" onClick={() => goOn('theirs')}>
          {t('Use their text')}
        </Button>
        <Button size="xs" variant="default" onClick={() => goOn('mine')}>
          {t('Keep mine')}
        </Button>
      </Group>
    </Callout>
  )
}
