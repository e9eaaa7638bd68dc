import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import type { DeskForm } from '@atrium/contract/forms/desk-calls.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useDeferredValue, useMemo } from 'react'
import { RecordError } from '../../ui/feedback/record-error.tsx'
import { FormSkeleton } from '../../ui/forms/form-skeleton.tsx'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { useKeys } from '../../ui/layout/keyboard.tsx'
import { type Tab, Tabs } from '../../ui/lists/tabs.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { Builder } from './builder/builder.tsx'
import { hintsOf, problemsOf } from './builder/form-problems.ts'
import { Preview } from './builder/preview.tsx'
import { ProblemList } from './builder/problem-list.tsx'
import { useFormEditor } from './builder/use-form-editor.ts'
import { FormHead } from './form-head.tsx'
import { FormValuesPart } from './form-values.tsx'
import parts from './forms.module.css'
import { Submissions } from './submissions.tsx'
import { type Answered, formQuery } from './use-forms.ts'
import { Versions } from './versions.tsx'

const partNames = ['build', 'preview', 'versions', 'filled', 'settings'] as const
type Part = (typeof partNames)[number]

export type FormDeskProps = {
  mayManage: boolean
  /** Renders the form as members see it, without sending. */
  draw: (definition: FormDefinition) => ReactNode
  /** Renders a member's answers in the form's layout. */
  drawAnswers: (answered: Answered) => ReactNode
}

/** One form: builder, preview and version history. */
export function FormDesk(props: FormDeskProps) {
  const { t } = useTranslation()
  const { formId = '' } = useParams({ strict: false }) as { formId?: string }
  const { data, error, refetch } = useQuery(formQuery(formId))
  return (
    <div className={parts.scroll}>
      <div className={parts.page}>
        <div>
          <BackLink to="/forms" search={{}}>
            {t('All forms')}
          </BackLink>
        </div>
        {data ? (
          <OneForm key={data._id} form={data} {...props} />
        ) : error ? (
          <RecordError
            error={error}
            notFound={t('Form not found')}
            holds={t('Nothing was changed.')}
            onRetry={() => refetch()}
          />
        ) : (
          <FormSkeleton label={t('Loading')} />
        )}
      </div>
    </div>
  )
}

function OneForm({ form, mayManage, draw, drawAnswers }: FormDeskProps & { form: DeskForm }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { part = mayManage ? 'build' : 'preview' } = useParams({ strict: false }) as { part?: string }
  const shown = partNames.find((each) => each === part) ?? 'build'
  const newest = { definition: form.definition as FormDefinition, version: form.version }
  const editor = useFormEditor(newest)
  const { definition } = editor
  // A colleague has saved a new version, and there are no local changes.
  if (form.version > editor.basedOn && !editor.isDirty) editor.restart(newest)
  const deferred = useDeferredValue(definition)
  const problems = useMemo(() => problemsOf(deferred), [deferred])
  const hints = useMemo(() => hintsOf(deferred), [deferred])
  const placeOf = (part: Part) => ({
    to: '/forms/$formId/{-$part}',
    params: { formId: form._id, part: part === 'build' ? undefined : part },
  })
  const go = (next: Part) => navigate(placeOf(next))
  useUnsavedGuard({ isDirty: editor.isDirty, staysAt: (path) => path.includes(`/forms/${form._id}`) })
  useKeys(t('Forms'), [
    { keys: 'u', label: t('Undo'), mayRepeat: true, act: editor.undo },
    { keys: 'y', label: t('Redo'), mayRepeat: true, act: editor.redo },
  ])
  return (
    <>
      <FormHead form={form} editor={editor} problems={problems.length} mayManage={mayManage} />
      <Tabs label={t('About this form')} tabs={tabsOf(form, mayManage)} chosen={shown} placeOf={placeOf} />
      {(shown === 'build' || shown === 'preview') && (
        <ProblemList
          problems={problems}
          hints={hints}
          editor={editor.editor}
          onJump={() => shown !== 'build' && go('build')}
        />
      )}
      {shown === 'build' && mayManage && <Builder form={editor} definition={definition} problems={problems} />}
      {(shown === 'preview' || (shown === 'build' && !mayManage)) && (
        <Preview definition={deferred} isWhole={problems.length === 0} draw={draw} />
      )}
      {shown === 'versions' && (
        <Versions form={form} editor={editor} mayManage={mayManage} draw={draw} onRestored={() => go('build')} />
      )}
      {shown === 'filled' && <Submissions form={form} draw={drawAnswers} />}
      {shown === 'settings' && <FormValuesPart key={form._id} form={form} mayManage={mayManage} />}
    </>
  )
}

function tabsOf(form: DeskForm, mayManage: boolean): Tab<Part>[] {
  return [
    ...(mayManage ? [{ name: 'build' as const, label: 'Build' }] : []),
    { name: 'preview', label: 'Preview' },
    { name: 'versions', label: 'Versions', count: form.versions.length },
    { name: 'filled', label: 'Submissions', count: form.submissions },
    { name: 'settings', label: 'Settings' },
  ]
}
