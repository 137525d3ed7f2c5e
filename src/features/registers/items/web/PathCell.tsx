import './items.css'

/** A category under its parent, as far in as it is deep. */
export function PathCell({ row }: { row: { name: string; depth: number | null } }) {
  return (
    <span className="it-branch" style={{ '--depth': row.depth ?? 0 } as React.CSSProperties}>
      <bdi className="cut" title={row.name}>
        {row.name}
      </bdi>
    </span>
  )
}
