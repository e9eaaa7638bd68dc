import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import type { DeskForm } from '@atrium/contract/forms/desk-calls.ts'
import { Button, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Tag } from '../../ui/feedback/status-pill.tsx'
import { FormSkeleton } from '../../ui/forms/form-skeleton.tsx'
import { VersionList } from '../../ui/lists/versions/version-list.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import type { FormEditor } from './builder/use-form-editor.ts'
import { ChangeList } from './change-list.tsx'
import { differenceOf } from './form-difference.ts'
import parts from './forms.module.css'
import { formVersionQuery } from './use-forms.ts'

type VersionsProps = {
  form: DeskForm
  editor: FormEditor
  mayManage: boolean
  draw: (definition: FormDefinition) => ReactNode
  onRestored: () => void
}

/** All saved versions: author, time, changes, and restoring. */
export function Versions(props: VersionsProps) {
  const { form } = props
  const [version, setVersion] = useState(form.version)
  return (
    <VersionList
      versions={form.versions.map((each) => ({
        value: each.version,
        facts: <VersionFacts form={form} version={each} />,
      }))}
      chosen={version}
      onChoose={setVersion}
    >
      <OneVersion key={version} {...props} version={version} />
    </VersionList>
  )
}

function VersionFacts({ form, version }: { form: DeskForm; version: DeskForm['versions'][number] }) {
  const { t } = useTranslation()
  return (
    <>
      <span className={parts.titleLine}>
        {t('Version {{version}}', version)} {version.version === form.version && <Tag label={t('Newest')} isStrong />}
      </span>
      <span className={parts.quiet}>
        <Moment at={version.made_at} /> {version.made_by && <bdi>{version.made_by}</bdi>}
      </span>
    </>
  )
}

function OneVersion({ form, editor, mayManage, draw, onRestored, version }: VersionsProps & { version: number }) {
  const { t } = useTranslation()
  const [shown, setShown] = useState<'changes' | 'form'>('changes')
  const { data, error, refetch } = useQuery(formVersionQuery(form._id, version))
  const earlier = form.versions.find((each) => each.version < version)?.version
  const before = useQuery({ ...formVersionQuery(form._id, earlier ?? 0), enabled: earlier !== undefined })
  const failed = error ?? before.error
  if (failed) return <ErrorState error={failed} onRetry={() => Promise.all([refetch(), before.refetch()])} />
  if (!data || (earlier !== undefined && !before.data)) return <FormSkeleton label={t('Loading')} />
  const definition = data.definition as FormDefinition
  const restore = () => {
    editor.editor.change(() => definition)
    editor.editor.select(null)
    onRestored()
  }
  return (
    <div data-stack="lg">
      <div data-group="sm" data-align="center">
        <SegmentedControl
          size="xs"
          aria-label={t('Content shown')}
          data={[
            { value: 'changes', label: t('What changed') },
            { value: 'form', label: t('As members saw it') },
          ]}
          value={shown}
          onChange={(value) => setShown(value === 'form' ? 'form' : 'changes')}
        />
        {mayManage && version !== form.version && (
          <Button size="xs" variant="default" onClick={restore}>
            {t('Restore as new')}
          </Button>
        )}
      </div>
      {shown === 'form' ? (
        <div className={parts.sample}>{draw(definition)}</div>
      ) : (
        <div className={parts.sample}>
          {before.data ? (
            <ChangeList changes={differenceOf(before.data.definition as FormDefinition, definition)} />
          ) : (
            <p className={parts.quiet}>{t('This is the first version of the form.')}</p>
          )}
        </div>
      )}
    </div>
  )
}
