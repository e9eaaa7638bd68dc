import type { OpenedAccount } from '@atrium/contract/openings/calls.ts'
import type { AccountKind } from '@atrium/contract/openings/states.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { PlatformMark } from '../../features/accounts/account-parts.tsx'
import { accountsKey } from '../../features/accounts/accounts-key.ts'
import { type Block, blockOf } from '../../features/openings/eligibility.ts'
import { OpenedCard } from '../../features/openings/opened-card.tsx'
import { OpeningBlocked } from '../../features/openings/opening-blocked.tsx'
import { platformsFor } from '../../features/openings/opening-draft.ts'
import { OpeningFields } from '../../features/openings/opening-form.tsx'
import { aliasOf } from '../../features/openings/opening-labels.ts'
import { OpeningSummary } from '../../features/openings/opening-summary.tsx'
import { OpeningUnderWay } from '../../features/openings/opening-under-way.tsx'
import { useOpeningForm } from '../../features/openings/use-opening-form.ts'
import { useOpenings, useWatched } from '../../features/openings/use-openings.ts'
import {
  type TradingConfiguration,
  useTradingConfiguration,
} from '../../features/openings/use-trading-configuration.ts'
import { sessionQuery, useIsOpen, useSession } from '../../features/session/session.ts'
import { useMayOpen } from '../../features/session/use-may-open.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Callout } from '../../ui/feedback/state.tsx'
import formPage from '../../ui/forms/form-page.module.css'
import { FormSkeleton } from '../../ui/forms/form-skeleton.tsx'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { Card, Page } from '../../ui/layout/page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { NextStep } from '../next-steps-card.tsx'

export const OpenLiveAccountPage = () => <OpenAccountPage key="live" kind="live" />
export const OpenDemoAccountPage = () => <OpenAccountPage key="demo" kind="demo" />

const labels = {
  live: { title: 'Open Live Account', help: 'Choose where and how you want to trade. You deposit once it is open.' },
  demo: { title: 'Open Demo Account', help: 'Trade with demo funds on the same platforms as live accounts.' },
}

function OpenAccountPage({ kind }: { kind: AccountKind }) {
  const { t } = useTranslation()
  const configuration = useTradingConfiguration()
  const openings = useOpenings()
  const [opening, setOpening] = useState(1)
  useFreshSession()
  const failure = (configuration.data ? null : configuration.error) ?? (openings.data ? null : openings.error)
  const again = () => {
    configuration.refetch()
    openings.refetch()
  }
  return (
    <Page title={t(labels[kind].title)} help={t(labels[kind].help)}>
      {failure ? (
        <Card>
          <ErrorState error={failure} onRetry={again} holds={t('Nothing was opened.')} />
        </Card>
      ) : !configuration.data || !openings.data ? (
        <FormSkeleton label={t('Loading')} />
      ) : (
        <Opening
          key={opening}
          kind={kind}
          configuration={configuration.data}
          openings={openings.data}
          onAnew={() => setOpening(opening + 1)}
        />
      )}
    </Page>
  )
}

/** The session's account counts and document status may be a minute old; here they decide what is shown, so it is refetched. */
function useFreshSession(): void {
  const queries = useQueryClient()
  useEffect(() => {
    queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }, [queries])
}

type OpeningProps = {
  kind: AccountKind
  configuration: TradingConfiguration
  openings: NonNullable<ReturnType<typeof useOpenings>['data']>
  onAnew: () => void
}

function Opening({ kind, configuration, openings, onAnew }: OpeningProps) {
  const { t } = useTranslation()
  const platforms = platformsFor(configuration, kind)
  const form = useOpeningForm({ kind, platforms, leverage: configuration.leverage })
  const watched = useWatched(kind, openings, form.watchedId)
  useUnsavedGuard({ isDirty: form.isDirty && watched.phase === 'none' })
  const { member } = useSession()
  const opened = form.opened ?? (watched.phase === 'opened' ? watched.account : null)
  if (opened) return <Opened account={opened} configuration={configuration} onAnew={onAnew} />
  if (watched.phase === 'under-way') {
    const alias = aliasOf(configuration.platforms, watched.opening.group)
    return <OpeningUnderWay opening={watched.opening} alias={alias} />
  }
  const block = form.block ?? blockOf(configuration, kind, { ...member, counted: openings.counted })
  if (block) return <Blocked block={block} kind={kind} />
  return (
    <form
      ref={form.element}
      className={formPage.layout}
      onSubmit={form.onSubmit}
      noValidate
      aria-label={t(labels[kind].title)}
    >
      <div className={formPage.steps}>
        {watched.phase === 'not-opened' && (
          <Callout meaning="amber">
            {t(
              'We have verified that the account was not opened. Nothing is sent again automatically; you can open one now.',
            )}
          </Callout>
        )}
        <OpeningFields
          form={form}
          platforms={platforms}
          leverage={configuration.leverage}
          markOf={(type) => <PlatformMark type={type} />}
        />
      </div>
      <OpeningSummary form={form} kind={kind} />
    </form>
  )
}

function Blocked({ block, kind }: { block: Block; kind: AccountKind }) {
  const isOpen = useIsOpen()
  const mayOpen = useMayOpen()
  const { documents_status: documents } = useSession().member
  if (block === 'disabled' && isOpen('support')) return <Navigate to="/support" replace />
  return (
    <OpeningBlocked
      {...{ block, kind, documents }}
      isDocumentsOpen={isOpen('documents')}
      isSupportOpen={isOpen('support')}
      mayOpenDemo={mayOpen('demo')}
    />
  )
}

type OpenedProps = { account: OpenedAccount; configuration: TradingConfiguration; onAnew: () => void }

function Opened({ account, configuration, onAnew }: OpenedProps) {
  const isOpen = useIsOpen()
  const queries = useQueryClient()
  useEffect(() => {
    queries.invalidateQueries({ queryKey: accountsKey })
    queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }, [queries])
  useLinkedHere(onAnew)
  return (
    <>
      <OpenedCard
        account={account}
        alias={aliasOf(configuration.platforms, account.group)}
        isDepositOpen={isOpen('deposit')}
      />
      {!account.live_account && <NextStep />}
    </>
  )
}

/** The shell links to this address, which is already open: the router then loads it again and changes nothing. */
function useLinkedHere(onFollowed: () => void): void {
  const followed = useEffectEvent(onFollowed)
  useEffect(() => {
    const notice = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
      if (link?.pathname === location.pathname && link.hash === '' && !isElsewhere) followed()
    }
    document.addEventListener('click', notice)
    return () => document.removeEventListener('click', notice)
  }, [])
}
