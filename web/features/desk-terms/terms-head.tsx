import type { DeskTerms } from '@atrium/contract/terms/desk-calls.ts'
import { Button } from '@mantine/core'
import { useConfirm } from '../../ui/feedback/confirm.tsx'
import { StatusPill, Tag } from '../../ui/feedback/status-pill.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './desk-terms.module.css'
import { sectionsInWords, stateLabels } from './terms-labels.ts'
import { useRetireTerms } from './use-terms.ts'

/** The current effect of these terms on members. */
export function TermsHead({ terms, mayManage }: { terms: DeskTerms; mayManage: boolean }) {
  const { t } = useTranslation()
  const { meaning, label } = stateLabels[terms.state]
  const shown = terms.versions.find(({ version }) => version === terms.version)
  return (
    <header data-group="xl" data-lines="md" data-align="start" data-justify="between">
      <div className={parts.headText}>
        <h2 className={parts.title}>
          <bdi>{terms.name}</bdi>
        </h2>
        <div className={parts.facts}>
          <StatusPill meaning={meaning} label={t(label)} />
          {terms.version && <Tag label={t('Version {{version}}', { version: terms.version })} />}
          {terms.state === 'published' && terms.is_changed && <Tag label={t('Unpublished changes')} isStrong />}
          {shown && (
            <span>
              <Moment at={shown.published_at} /> {shown.published_by && <bdi>{shown.published_by}</bdi>}
            </span>
          )}
        </div>
        <p className={parts.sentence}>
          <TermsState terms={terms} />
        </p>
      </div>
      {mayManage && terms.state === 'published' && <Retire terms={terms} />}
    </header>
  )
}

function TermsState({ terms }: { terms: DeskTerms }) {
  const { t } = useTranslation()
  if (terms.state === 'draft') return t('No member has seen it yet.')
  if (terms.state === 'retired')
    return t('Members are no longer asked. Acceptances are kept: {{accepted}} of {{members}} members.', terms)
  const sections = sectionsInWords(terms.blocked_portal_sections, t)
  return t('Accepted by {{accepted}} of {{members}} members. Closed to the others: {{sections}}.', {
    ...terms,
    sections,
  })
}

function Retire({ terms }: { terms: DeskTerms }) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const retire = useRetireTerms(terms._id)
  const ask = async () => {
    const { name, accepted, members } = terms
    const body = t(
      'Members are no longer asked to accept it, and the sections that it closed open for everybody who has not accepted: {{waiting}}. Acceptances and versions are kept; publish it again to resume.',
      { waiting: members - accepted },
    )
    if (!(await confirm({ title: t('Retire {{name}}?', { name }), body, action: t('Retire'), isDangerous: true })))
      return
    retire.mutateAsync(null).then(
      () => toast.done(t('Retired. Members are no longer asked.')),
      (error: Error) => toast.refused(t(error.message)),
    )
  }
  return (
    <Button variant="default" loading={retire.isPending} onClick={ask}>
      {t('Retire')}
    </Button>
  )
}
