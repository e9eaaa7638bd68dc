import { Component, type ReactNode } from 'react'

type BoundaryProps = { fallback: ReactNode; children: ReactNode }

/** Shows a fallback for a part that fails: React removes the whole page after an uncaught error. */
export class Boundary extends Component<BoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }
  static getDerivedStateFromError() {
    return { hasFailed: true }
  }
  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children
  }
}
