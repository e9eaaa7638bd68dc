import { Skeleton } from '@mantine/core'
import { IconCheck, IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Callout } from '../ui/feedback/state.tsx'
import { StatusPill } from '../ui/feedback/status-pill.tsx'
import { LinkButton } from '../ui/layout/link-button.tsx'
import { Card, Section } from '../ui/layout/page.tsx'
import rowParts from '../ui/lists/rows.module.css'
import { useTranslation } from '../ui/text/use-translation.ts'
import { nextStepOf, type Step, type StepKey } from './next-steps.ts'
import parts from './pages/home-page.module.css'
import { useNextSteps } from './use-next-steps.ts'

/** The steps to a funded live account, in order, each with a link. */
export function NextSteps({ steps }: { steps: readonly Step[] | undefined }) {
  const { t } = useTranslation()
  const next = steps && nextStepOf(steps)
  const done = steps?.filter(({ isDone }) => isDone).length
  return (
    <Section
      title={t('Your next steps')}
      more={
        steps && <span className={rowParts.quiet}>{t('{{done}} of {{all}} done', { done, all: steps.length })}</span>
      }
    >
      <Card>
        <ol className={rowParts.list} aria-busy={!steps}>
          {!steps && <StepSkeleton />}
          {steps?.map((step, index) => (
            <li key={step.key}>
              <Link to={step.to} className={`${rowParts.row} ${rowParts.pressable}`}>
                <span className={`${parts.step} ${step.isDone ? parts.stepDone : step === next ? parts.stepNext : ''}`}>
                  {step.isDone ? <IconCheck size={18} stroke={2} aria-label={t('Done')} /> : index + 1}
                </span>
                <span className={rowParts.grow}>
                  <span className={rowParts.strong}>{step.title}</span>
                  <span className={rowParts.quiet}>{step.text}</span>
                </span>
                {step.note && <StatusPill meaning="blue" label={step.note} />}
                <IconChevronRight size={18} stroke={1.5} aria-hidden className={rowParts.icon} />
              </Link>
            </li>
          ))}
        </ol>
      </Card>
    </Section>
  )
}

const skeleton = ['first', 'second', 'third', 'fourth']

function StepSkeleton() {
  return skeleton.map((key) => (
    <li key={key} className={rowParts.row} aria-hidden>
      <Skeleton circle height={32} />
      <span className={rowParts.grow}>
        <Skeleton height={12} width="35%" mb={8} />
        <Skeleton height={10} width="60%" />
      </span>
    </li>
  ))
}

/** The next step to a funded account; beside the page of a step (`after`) it appears only once that step is done. */
export function NextStep({ after }: { after?: StepKey }) {
  const { t } = useTranslation()
  const steps = useNextSteps() ?? []
  const place = steps.findIndex(({ key }) => key === after)
  const here = steps[place]
  const step = nextStepOf([...steps.slice(place + 1), ...steps.slice(0, Math.max(place, 0))])
  if (!step || (here && !here.isDone && !here.isWaiting)) return null
  return (
    <Callout meaning="blue">
      <p className={parts.nextWords}>
        <strong>{t('Next: {{step}}', { step: step.title })}</strong> {step.text}
      </p>
      <LinkButton to={step.to} size="xs">
        {step.title}
      </LinkButton>
    </Callout>
  )
}
