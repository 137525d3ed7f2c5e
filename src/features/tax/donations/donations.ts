/**
 * From this day every donation to an institution of section 46 is reported (Execution Instruction 11/2025).
 */
export const reportedFrom = '2026-01-01'
export const reportStates = ['waiting', 'granted', 'refused', 'away', 'notNeeded'] as const
