/** The door for other features: the rate of a day, proposed where one is asked for. */
export { oldRateDay, useRateOfDay } from './useRateOfDay.ts'
