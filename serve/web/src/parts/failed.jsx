import { t } from "../lib/words.js";

const meanings = {
  0: () => t("The server does not answer.", "服务器没有响应。"),
  401: () => t("This server wants a token.", "此服务器需要令牌。"),
  413: () => t("That is longer than this server takes.", "超过了此服务器的长度限制。"),
  429: () => t("Too many requests; wait a moment.", "请求过多，请稍候。"),
  503: () => t("The server is busy or ending; try again.", "服务器繁忙或正在关闭，请重试。"),
  504: () => t("That takes longer than this server allows.", "超过了此服务器的时间限制。"),
};

// Failed says what went wrong, if anything has.
export function Failed({ error }) {
  if (!error) return null;
  return <p class="failed" role="alert">{meanings[error.status]?.()} <span class="small">{error.message}</span></p>;
}
