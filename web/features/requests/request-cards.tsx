import type { Scope } from '@atrium/contract/access/scopes.ts'
import type { AccountKind } from '@atrium/contract/openings/states.ts'
import { predefinedTypes } from '@atrium/contract/requests/states.ts'
import { requestTexts } from '@atrium/contract/requests/texts.ts'
import { Skeleton } from '@mantine/core'
import { IconArrowRight, IconSend } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { Card, Section } from '../../ui/layout/page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { isShortcutOpen, shortcutOf, shortcuts } from './request-labels.ts'
import parts from './requests.module.css'
import type { OfferedType } from './use-requests.ts'

type CardsProps = {
  types: OfferedType[] | undefined
  isOpen: (scope: Scope) => boolean
  /** Whether members may open accounts of a kind. */
  mayOpen: (kind: AccountKind) => boolean
  onAsk: (type: OfferedType) => void
}

const skeleton = ['one', 'two', 'three']

/** The request types. A type with its own page links to it; the others open their form. */
export function RequestCards({ types, isOpen, mayOpen, onAsk }: CardsProps) {
  const { t } = useTranslation()
  if (types === undefined)
    return (
      <div className={parts.cards} aria-busy="true">
        {skeleton.map((key) => (
          <Skeleton key={key} height={116} radius="lg" />
        ))}
      </div>
    )
  const shown = types.filter(({ predefined_type }) => {
    const shortcut = shortcutOf(predefined_type)
    return !shortcut || isShortcutOpen(shortcut, { isOpen, mayOpen })
  })
  const taken = new Set(types.map(({ predefined_type }) => predefined_type))
  const further = predefinedTypes.filter(
    (name) => !taken.has(name) && isShortcutOpen(shortcuts[name], { isOpen, mayOpen }),
  )
  return (
    <>
      {shown.length === 0 ? (
        <Card>
          <EmptyState drawing="list" title={t(requestTexts.none)} />
        </Card>
      ) : (
        <ul className={parts.cards} aria-label={t('Requests')}>
          {shown.map((type) => (
            <li key={type._id}>
              <OneCard type={type} onAsk={() => onAsk(type)} />
            </li>
          ))}
        </ul>
      )}
      {further.length > 0 && (
        <Section title={t('What you can do yourself')}>
          <ul className={parts.cards}>
            {further.map((name) => (
              <li key={name}>
                <WayTo to={shortcuts[name].to} name={t(shortcuts[name].label)} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

function OneCard({ type: { name, description, predefined_type }, onAsk }: { type: OfferedType; onAsk: () => void }) {
  const shortcut = shortcutOf(predefined_type ?? null)
  if (shortcut) return <WayTo to={shortcut.to} name={name} about={description} />
  return (
    <button type="button" className={parts.card} onClick={onAsk} aria-haspopup="dialog">
      <span className={parts.cardName}>
        <span>{name}</span>
        <IconSend size={18} stroke={1.5} aria-hidden />
      </span>
      {description && <span className={parts.cardAbout}>{description}</span>}
    </button>
  )
}

function WayTo({ to, name, about }: { to: string; name: string; about?: string | null | undefined }) {
  return (
    <Link to={to as never} className={`${parts.card} ${about === undefined ? parts.short : ''}`}>
      <span className={parts.cardName}>
        <span>{name}</span>
        <IconArrowRight size={18} stroke={1.5} aria-hidden />
      </span>
      {about && <span className={parts.cardAbout}>{about}</span>}
    </Link>
  )
}
