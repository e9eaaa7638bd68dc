import './layout.css'

type Space = 'xs' | 'sm' | 'md' | 'lg' | 'xl'

/** The layout parts (layout.css). An element has a class only for what they cannot express. */
declare module 'react' {
  interface HTMLAttributes<T> {
    /** Children stacked, with this gap. */
    'data-stack'?: Space | 'none'
    /** Children side by side, with this gap, on more lines if they do not fit. */
    'data-group'?: Space | 'none'
    'data-nowrap'?: true
    /** The gap between the lines of a group, if it differs. */
    'data-lines'?: 'sm' | 'md'
    /** Two columns, one where they do not fit: fields, halves of a page, or a page with something beside it. */
    'data-columns'?: 'fields' | 'halves' | 'aside'
    'data-align'?: 'start' | 'center' | 'end' | 'baseline'
    'data-justify'?: 'center' | 'end' | 'between'
    'data-pad'?: 'lg' | 'xl' | 'sm lg' | 'md lg'
    'data-above'?: 'xs' | 'sm' | 'md' | 'lg'
    /** May become narrower than its content. */
    'data-shrink'?: true
    /** A list without bullets, or a paragraph, without margins. */
    'data-plain'?: true
  }
}
