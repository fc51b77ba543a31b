// Numbers and times as people read them.

const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const ONE_DECIMAL = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
const MONEY = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });

export function count(number, singular, plural = `${singular}s`) {
  const shown = WHOLE.format(number);
  return singular === undefined ? shown : `${shown} ${number === 1 ? singular : plural}`;
}

export function percent(value) {
  // 99.96 % is not 100 %: a rounded-up pass rate would hide a failure.
  const shown = value < 100 ? Math.min(value, 99.9) : value;
  return `${ONE_DECIMAL.format(shown)} %`;
}

export function duration(ms) {
  if (ms < 1) return ms > 0 ? "< 1 ms" : "0 ms";
  if (ms < 999.5) return `${WHOLE.format(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 59.95) return `${ONE_DECIMAL.format(seconds)} s`;
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  if (hours) return `${hours} h ${twoDigits(minutes)} m`;
  return `${minutes} m ${twoDigits(rest)} s`;
}

function twoDigits(number) {
  return String(number).padStart(2, "0");
}

export function size(chars) {
  if (chars < 1000) return `${chars} characters`;
  return chars < 1e6 ? `${WHOLE.format(chars / 1000)} KB` : `${ONE_DECIMAL.format(chars / 1e6)} MB`;
}

export function money(amount) {
  return `$${MONEY.format(amount)}`;
}

export function moment(iso) {
  const when = new Date(iso);
  return Number.isNaN(when.getTime()) ? iso : when.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

export function tokens(usage) {
  const parts = [`${count(usage.input_tokens ?? 0)} tokens in`, `${count(usage.output_tokens ?? 0)} out`];
  if (usage.cost !== undefined && usage.cost !== null) parts.push(money(usage.cost));
  return parts.join(" · ");
}
