import type { ReactNode } from 'react'
import { useTranslation } from '../../text/use-translation.ts'
import parts from './version-list.module.css'

type VersionListProps<Value> = {
  versions: readonly { value: Value; facts: ReactNode }[]
  chosen: Value
  onChoose: (value: Value) => void
  children: ReactNode
}

/** The versions of a form or text, newest first, with the chosen one beside them. */
export function VersionList<Value extends string | number>(props: VersionListProps<Value>) {
  const { versions, chosen, onChoose, children } = props
  const { t } = useTranslation()
  return (
    <div className={parts.versions}>
      <ol className={parts.list} aria-label={t('Versions')}>
        {versions.map(({ value, facts }) => (
          <li key={value}>
            <button
              type="button"
              className={`${parts.version} ${value === chosen ? parts.chosen : ''}`}
              aria-current={value === chosen}
              onClick={() => onChoose(value)}
            >
              {facts}
            </button>
          </li>
        ))}
      </ol>
      {children}
    </div>
  )
}
