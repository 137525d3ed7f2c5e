/** 'S, M; L' as its values, each once. */
export const readValues = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,;\n]/)
      .map((value) => value.trim().slice(0, 40))
      .filter(Boolean),
  ),
]

/**
 * Every combination of the attributes' values, the last attribute changing first. Nothing for no attributes.
 */
export const combinationsOf = (
  attributes: readonly { name: string; values: readonly string[] }[],
): Record<string, string>[] =>
  attributes.length === 0
    ? []
    : attributes.reduce<Record<string, string>[]>(
        (made, { name, values }) => made.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
        [{}],
      )

/** The same for the same values, whatever order their names stand in. */
export const keyOfValues = (values: Record<string, string>): string =>
  JSON.stringify(Object.entries(values).sort(([left], [right]) => (left < right ? -1 : 1)))
