import { Skeleton } from '@mantine/core'
import { IconCheck, IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useProfile } from '../features/profile/use-profile.ts'
import { useIsOpen } from '../features/session/session.ts'
import { Card, Section } from '../ui/page.tsx'
import rowParts from '../ui/rows.module.css'
import { StatusPill } from '../ui/status-pill.tsx'
import parts from './home-page.module.css'
import { nextSteps } from './next-steps.ts'

/** A warm start for whoever has nothing yet: what to do, in its order, each one tap away. */
export function NextSteps({ hasMoved }: { hasMoved: boolean }) {
  const { t } = useTranslation()
  const isOpen = useIsOpen()
  const { data: profile } = useProfile()
  const steps = profile ? nextSteps({ profile, hasAccount: false, hasMoved, isOpen }, t) : []
  const next = steps.find(({ isDone }) => !isDone)
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <Section
      title={t('Your next steps')}
      more={
        profile && <span className={rowParts.quiet}>{t('{{done}} of {{all}} done', { done, all: steps.length })}</span>
      }
    >
      <Card>
        <ol className={rowParts.list} aria-busy={!profile}>
          {!profile && <StepBones />}
          {steps.map((step, index) => (
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

const bones = ['first', 'second', 'third', 'fourth']

function StepBones() {
  return bones.map((bone) => (
    <li key={bone} className={rowParts.row} aria-hidden>
      <Skeleton circle height={32} />
      <span className={rowParts.grow}>
        <Skeleton height={12} width="35%" mb={8} />
        <Skeleton height={10} width="60%" />
      </span>
    </li>
  ))
}
