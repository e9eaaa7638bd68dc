import type { DeskTerms } from '@atrium/contract/terms/desk-calls.ts'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { Callout } from '../../ui/feedback/state.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './desk-terms.module.css'
import { PublishDialog } from './publish-dialog.tsx'
import { TermsFields } from './terms-fields.tsx'
import { TermsPreview } from './terms-preview.tsx'
import { termsOneQuery } from './use-terms.ts'
import { type TermsForm, termsChanged, useTermsForm } from './use-terms-form.ts'

type TermsEditorProps = {
  /** Null until the first save. */
  terms: DeskTerms | null
  onCreated?: (id: string) => void
}

/** The editor on the left, a preview on the right. */
export function TermsEditor({ terms, onCreated }: TermsEditorProps) {
  const { t } = useTranslation()
  const [publishing, setPublishing] = useState<DeskTerms | null>(null)
  const isToPublish = useRef(false)
  const form = useTermsForm(terms, (saved) => {
    if (isToPublish.current) return setPublishing(saved)
    if (!terms) onCreated?.(saved._id)
    toast.done(t('Draft saved. Members do not see it until it is published.'))
  })
  useUnsavedGuard({ isDirty: form.isDirty })
  const save = (event: FormEvent) => {
    isToPublish.current = false
    form.onSubmit(event)
  }
  const publish = () => {
    isToPublish.current = true
    if (form.isDirty) form.submit()
    else setPublishing(terms)
  }
  const isNew = form.isDirty || !terms || terms.state !== 'published' || terms.is_changed
  return (
    <div data-columns="halves">
      <form ref={form.element} data-stack="lg" onSubmit={save} noValidate aria-label={t('Text of the terms')}>
        <TermsFields {...form} />
        <Trouble form={form} terms={terms} />
        <div className={parts.buttons}>
          {terms && (
            <Button onClick={publish} disabled={!isNew} loading={form.isSubmitting}>
              {t('Publish')}
            </Button>
          )}
          <Button
            type="submit"
            variant={terms ? 'default' : 'filled'}
            disabled={!form.isDirty}
            loading={form.isSubmitting}
          >
            {t('Save draft')}
          </Button>
          <Button variant="subtle" disabled={!form.isDirty || form.isSubmitting} onClick={form.undo}>
            {t('Discard changes')}
          </Button>
          <span className={parts.quiet}>
            {form.isDirty
              ? t('Unsaved changes.')
              : isNew
                ? terms && t('Saved as a draft.')
                : t('Members see exactly this text. There is nothing new to publish.')}
          </span>
        </div>
      </form>
      <div className={parts.beside}>
        <TermsPreview text={form.values} title={t('Preview')} />
      </div>
      {publishing && (
        <PublishDialog
          terms={publishing}
          onPublished={form.onPublished}
          onOvertaken={form.onOvertaken}
          onClose={() => setPublishing(null)}
        />
      )}
    </div>
  )
}

/** Why the text was not saved or published. After a colleague's save, staff choose which text to keep. */
function Trouble({ form, terms }: { form: TermsForm; terms: DeskTerms | null }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  if (!form.isConflict || !terms) return <Refusal messages={form.refusal} isUnknown={form.isUnknown} />
  const goOn = (whose: 'mine' | 'theirs') =>
    queries.fetchQuery({ ...termsOneQuery(terms._id), staleTime: 0 }).then(
      (fresh) => form.goOnFrom(fresh, whose),
      (error: Error) => toast.refused(t(error.message)),
    )
  return (
    <Callout meaning="amber">
      {t(termsChanged)}
      <div data-group="sm" data-align="center" data-above="sm">
        <Button size="xs" variant="default" onClick={() => goOn('theirs')}>
          {t('Use the saved version')}
        </Button>
        <Button size="xs" variant="default" onClick={() => goOn('mine')}>
          {t('Keep my version')}
        </Button>
      </div>
    </Callout>
  )
}
