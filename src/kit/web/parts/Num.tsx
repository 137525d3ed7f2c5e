import type { ReactNode } from 'react'

/** A number, code, phone, mail or day: one left-to-right island of tabular figures. */
export function Num({ children, className }: { children: ReactNode; className?: string }) {
  return <bdi className={className ? `num ${className}` : 'num'}>{children}</bdi>
}
