import type { ReactNode } from 'react'
import parts from './choice-card.module.css'

type ChoiceCardProps = {
  group: string
  name: string
  /** The accessible name; it contains the visible one. */
  spoken?: string | undefined
  about?: ReactNode
  isChosen: boolean
  isWrong?: boolean
  onChoose: () => void
  /** A picture at the other end of the card. */
  mark?: ReactNode
  /** Shown below the head of the chosen card. */
  children?: ReactNode
}

/** One of a few choices with its facts; a styled radio button. */
export function ChoiceCard({
  group,
  name,
  spoken,
  about,
  isChosen,
  isWrong = false,
  onChoose,
  mark,
  children,
}: ChoiceCardProps) {
  return (
    <div className={`${parts.choice} ${isChosen ? parts.chosen : ''} ${isWrong ? parts.wrong : ''}`}>
      <label className={parts.choiceHead}>
        <input type="radio" name={group} checked={isChosen} onChange={onChoose} aria-label={spoken ?? name} />
        <span className={parts.choiceText}>
          <span className={parts.choiceName}>{name}</span>
          {about && <span className={parts.about}>{about}</span>}
        </span>
        {mark}
      </label>
      {isChosen && children && <div className={parts.choiceBody}>{children}</div>}
    </div>
  )
}
