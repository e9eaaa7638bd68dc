import type { DeskCategory } from '@atrium/contract/documents/desk-calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { ActionIcon, Button } from '@mantine/core'
import { IconArrowUp, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCallForm } from '../../forms/use-call-form.ts'
import { useConfirm } from '../../ui/feedback/confirm.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Callout, EmptyState } from '../../ui/feedback/state.tsx'
import { Tag } from '../../ui/feedback/status-pill.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { Card, Section } from '../../ui/layout/page.tsx'
import { WorkPage } from '../../ui/layout/work-page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { CategoryDialog } from './category-dialog.tsx'
import { requiredEffects } from './document-labels.ts'
import parts from './documents.module.css'
import { LoadingSkeleton } from './skeleton.tsx'
import { type AllCategories, categoriesQuery, useCategoryChange } from './use-categories.ts'
import { VendorParts } from './vendor-part.tsx'

type Edited = { category: DeskCategory | null; set: string | null }

/** The document requirements of members: the general set, and one per other kind of member. */
export function CategoriesDesk() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(categoriesQuery)
  const [edited, setEdited] = useState<Edited | null>(null)
  const sets: ShownSet[] = [{ _id: null, name: t('General'), archived: false }, ...(data?.kyc_categories ?? [])]
  return (
    <WorkPage
      help={t('What members upload, and which documents are accepted. Required categories apply to everybody.')}
    >
      {!data && error && <ErrorState error={error} onRetry={() => refetch()} />}
      {!data && !error && <LoadingSkeleton />}
      {data &&
        sets.map((set) => (
          <SetSection
            key={set._id ?? 'general'}
            set={set}
            all={data}
            onEdit={(category) => setEdited({ category, set: set._id })}
          />
        ))}
      {data && <NewSet />}
      {data && <VendorParts />}
      {edited && <CategoryDialog {...edited} onClose={() => setEdited(null)} />}
    </WorkPage>
  )
}

type ShownSet = { _id: string | null; name: string; archived: boolean; revision?: string | undefined }
type SetSectionProps = { set: ShownSet; all: AllCategories; onEdit: (category: DeskCategory | null) => void }

function SetSection({ set, all, onEdit }: SetSectionProps) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const change = useCategoryChange()
  const onError = (error: Error) => toast.refused(t(error.message))
  const ofSet = all.categories.filter((category) => category.kyc_category_id === set._id)
  const offered = ofSet.filter(({ archived }) => !archived)
  const lift = (at: number) => {
    const seen = offered.map(({ _id }) => _id)
    const [id] = seen.slice(at)
    const ids = seen.toSpliced(at, 1)
    if (id) change.mutate({ do: 'order', set: set._id, ids: ids.toSpliced(at - 1, 0, id), seen }, { onError })
  }
  const turn = async () => {
    const { _id: id, revision: seen, name, archived } = set
    const yes =
      archived ||
      (await confirm({
        title: t('Archive {{name}}?', { name }),
        body: t('It can no longer be given to members. It can be restored.'),
        action: t('Archive the set'),
        isDangerous: true,
      }))
    if (yes && id) change.mutate({ do: 'change-set', id, seen, name, archived: !archived }, { onError })
  }
  const more = (
    <div data-group="sm" data-align="center">
      {set._id !== null && (
        <Button size="xs" variant="default" disabled={change.isPending} onClick={turn}>
          {set.archived ? t('Restore the set') : t('Archive the set')}
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
        aria-label={t('Add a category to {{name}}', { name: set.name })}
        onClick={() => onEdit(null)}
      >
        {t('Add a category')}
      </Button>
    </div>
  )
  return (
    <Section title={set.archived ? t('{{name}} (archived)', { name: set.name }) : set.name} more={more}>
      <Card>
        {ofSet.length === 0 && <EmptyState drawing="list" title={t('Nothing is required')} />}
        {!set.archived && !offered.some(({ required }) => required) && (
          <Callout meaning="amber">
            {t(
              'No document is required here, so documents approve nobody. Members are approved only if you mark them as verified outside the portal.',
            )}
          </Callout>
        )}
        <ul data-plain>
          {[...offered, ...ofSet.filter(({ archived }) => archived)].map((category, at) => (
            <CategoryRow
              key={category._id}
              category={category}
              isFirst={at === 0}
              change={change}
              onLift={() => lift(at)}
              onEdit={() => onEdit(category)}
            />
          ))}
        </ul>
      </Card>
    </Section>
  )
}

type CategoryRowProps = {
  category: DeskCategory
  isFirst: boolean
  change: ReturnType<typeof useCategoryChange>
  onLift: () => void
  onEdit: () => void
}

function CategoryRow({ category, isFirst, change, onLift, onEdit }: CategoryRowProps) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const onError = (error: Error) => toast.refused(t(error.message))
  const { _id: id, archived, required } = category
  const [title, body, action] = archived
    ? [t('Restore {{name}}?', category), t(requiredEffects.required), t('Restore')]
    : [t('Archive {{name}}?', category), t(requiredEffects.optional), t('Archive')]
  const turn = async () => {
    // One that is not required approves nobody.
    if (required && !(await confirm({ title, body, action, isDangerous: true }))) return
    change.mutate({ do: 'archive', id, archived: !archived }, { onError })
  }
  return (
    <li className={parts.row}>
      <span className={parts.grow}>
        <span>{category.name}</span>
        <span className={parts.quiet}>
          {category.valid_documents
            .filter(({ archived }) => !archived)
            .map(({ name }) => name)
            .join(', ')}
        </span>
      </span>
      {category.archived ? <Tag label={t('Archived')} /> : category.required && <Tag label={t('Required')} isStrong />}
      {!category.archived && category.by_identity_check && <Tag label={t('Identity check')} />}
      {!category.archived && (
        <>
          <ActionIcon
            aria-label={t('Move {{name}} up', { name: category.name })}
            disabled={isFirst || change.isPending}
            onClick={onLift}
          >
            <IconArrowUp size={18} stroke={1.5} />
          </ActionIcon>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={t('Edit {{name}}', { name: category.name })}
            onClick={onEdit}
          >
            {t('Edit')}
          </Button>
        </>
      )}
      <Button
        size="compact-xs"
        variant="default"
        disabled={change.isPending}
        aria-label={category.archived ? t('Restore {{name}}', category) : t('Archive {{name}}', category)}
        onClick={turn}
      >
        {action}
      </Button>
    </li>
  )
}

function NewSet() {
  const { t } = useTranslation()
  const change = useCategoryChange()
  const form = useCallForm({
    start: { name: '' },
    labels: { name: 'For which members' },
    check: ({ name }) => (name.trim() === '' ? { name: [texts.fieldsMissing] } : {}),
    send: ({ name }) => change.mutateAsync({ do: 'add-set', name }),
    startAfter: () => ({ name: '' }),
    onRefused: (error) => toast.refused(t(error.message)),
    afterDone: 'anew',
  })
  return (
    <Section title={t('Another set')}>
      <form ref={form.element} className={parts.validDocument} onSubmit={form.onSubmit} noValidate>
        <TextInput
          size="xs"
          label={t('For which members')}
          placeholder={t('Companies')}
          charsMax={limits.listWordCharsMax}
          value={form.values.name}
          error={form.errorOf('name')}
          onChange={(event) => form.change({ name: event.currentTarget.value })}
        />
        <Button size="xs" type="submit" loading={form.isSubmitting}>
          {t('Add the set')}
        </Button>
      </form>
    </Section>
  )
}
